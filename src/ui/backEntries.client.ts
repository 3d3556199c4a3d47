import { useEffect, useEffectEvent } from 'react'

// Every open dialog has a history entry, so that Back closes the dialog instead of leaving the page. This file
// synchronizes the entries with the open dialogs.

type Entry = { dialogs?: number } | null

const open: (() => void)[] = []
/** True while `history.go` of this file is in progress. Dialogs that open or close meanwhile wait for its end. */
let isStepping = false
let isDue = false

const depth = () => (history.state as Entry)?.dialogs ?? 0

type Navigation = { currentEntry: { index: number } | null }

/** Returns true if going back by `steps` stays in the store. A reload during a step may have lost an entry. */
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

/** Synchronizes once per task, so that a dialog that replaces another reuses its entry. */
function settleSoon() {
  if (!isDue) queueMicrotask(settle)
  isDue = true
}

/** Registers an open dialog. Back calls `close`. Call the returned function after the dialog has closed. */
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
  // after Forward, an entry may have no open dialog. Skip it, because Back on it would do nothing visible
  if (isOurs || depth() > open.length) return settleSoon()
  for (const close of open.slice(depth()).reverse()) close()
})

// a reload closes all dialogs but their entries remain, so remove them
if (depth() > 0) settleSoon()
