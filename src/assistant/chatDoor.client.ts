// Whether the chat is open. Its button stands in the frame; a page may open it too.

let isOpen = false
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
