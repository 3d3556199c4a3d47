import { copyText } from './copy.client.ts'

export const shareLink = (title: string) => passOn(location.origin + location.pathname, title)

export async function passOn(url: string, title: string) {
  if (!navigator.share) return copyText(url, 'The link')
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // AbortError: the user closed the share sheet
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(url, 'The link')
  }
}
