// Whether the chat is open. Its button stands in the frame; a page may open it too, and so does the address of a mail.

let isOpen = location.hash === '#chat'
const watchers = new Set<() => void>()

export const isChatOpen = (): boolean => isOpen

export function showChat(open: boolean) {
  isOpen = open
  for (const tell of watchers) tell()
}

export function watchChat(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}
