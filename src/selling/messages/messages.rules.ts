import type { MessageThread } from './messages.contract.ts'

const MAX_PREVIEW = 120

/** Returns the beginning of a message on one line. */
export function previewOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_PREVIEW ? `${line.slice(0, MAX_PREVIEW - 1)}…` : line
}

type Shown = Pick<MessageThread, 'side' | 'name' | 'blockedBy' | 'canWrite'>

/** Why a side cannot write; null if it can. */
export function whyClosed({ side, name, blockedBy, canWrite }: Shown): string | null {
  if (canWrite) return null
  if (blockedBy === null) return 'This account was deleted.'
  return blockedBy === side ? `You ended this thread. ${name} can’t write to you.` : `${name} ended this thread.`
}
