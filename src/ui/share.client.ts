import { copyText } from './copy.client.ts'

/** Shares this page by the system's sheet, or copies its link where there is none. */
export async function shareLink(title: string) {
  const url = location.origin + location.pathname
  if (!navigator.share) return copyText(url, 'The link')
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // closing the sheet is not a failure
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(url, 'The link')
  }
}
