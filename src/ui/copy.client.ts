import { toast } from './toasts/toast.client.ts'

/** Copies a text and shows 'The link was copied.' */
export async function copyText(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', description: `${what} was copied.` })
  } catch {
    toast({ title: 'Not copied', description: 'The browser does not allow it here.', tone: 'bad' })
  }
}
