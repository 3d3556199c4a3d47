import { useEffect, useEffectEvent } from 'react'

type Entry = { dialogs?: number } | null

/** How many dialogs are open at this entry of the history. */
const depth = () => (history.state as Entry)?.dialogs ?? 0

/** Entries that closed dialogs leave behind; taken back together, for two steps at once would count as one. */
let left = 0

function stepBack() {
  if (left++ > 0) return
  queueMicrotask(() => {
    const steps = left
    left = 0
    // who has gone on to another page meanwhile must stay there
    if (depth() >= steps) history.go(-steps)
  })
}

/** Going back closes a dialog instead of leaving the page: an open one has an entry of its own in the history. */
export function useBackCloses(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return
    const mine = depth() + 1
    history.pushState({ ...(history.state as object | null), dialogs: mine }, '')
    const come = () => {
      if (depth() < mine) close()
    }
    addEventListener('popstate', come)
    return () => {
      removeEventListener('popstate', come)
      if (depth() >= mine) stepBack()
    }
  }, [isOpen])
}
