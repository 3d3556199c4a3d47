import { useEffect, useEffectEvent } from 'react'

// Every open dialog has its own history entry, so that Back closes it instead of leaving the page.

type Entry = { dialogs?: number } | null

const open: (() => void)[] = []
/** Our own step through the history is in progress. Dialogs that open or close meanwhile wait for its end. */
let isStepping = false
let isDue = false

const depth = () => (history.state as Entry)?.dialogs ?? 0

type Navigation = { currentEntry: { index: number } | null }

/** True when going back by `steps` stays within the store. A reload in the middle of a step may have lost its entry. */
function isWithinShop(steps: number): boolean {
  const { navigation } = window as { navigation?: Navigation }
  return !navigation?.currentEntry || navigation.currentEntry.index >= steps
}

function settle() {
  isDue = false
  if (isStepping) return
  const extra = depth() - open.length
  if (extra > 0 && isWithinShop(extra)) {
    isStepping = true
    history.go(-extra)
  } else if (extra > 0) history.replaceState({ ...(history.state as Entry), dialogs: open.length }, '')
  for (let dialogs = depth() + 1; dialogs <= open.length; dialogs++)
    history.pushState({ ...(history.state as Entry), dialogs }, '')
}

/** Runs once per task, so that a dialog that replaces another also takes its entry. */
function settleSoon() {
  if (!isDue) queueMicrotask(settle)
  isDue = true
}

/** Returns a function to call when the dialog has closed. `close` runs when the shopper goes back. */
export function enterDialog(close: () => void): () => void {
  open.push(close)
  settleSoon()
  return () => {
    open.splice(open.lastIndexOf(close), 1)
    settleSoon()
  }
}

export function useBackCloses(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => (isOpen ? enterDialog(() => close()) : undefined), [isOpen])
}

addEventListener('popstate', () => {
  const isOurs = isStepping
  isStepping = false
  // after Forward an entry may have no dialog: skip it, or Back would seem to do nothing
  if (isOurs || depth() > open.length) return settleSoon()
  for (const close of open.slice(depth()).reverse()) close()
})

// a reload closes every dialog and keeps its entry
if (depth() > 0) settleSoon()
