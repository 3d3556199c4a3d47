// Whatever lies over the page has an entry of its own in the history, so that going back closes it instead of leaving
// the page. This keeps both in step.

type Entry = { dialogs?: number } | null

/** What is open, the newest last. */
const open: (() => void)[] = []
/** A step of ours is under way; what is opened or closed meanwhile waits for its end. */
let isStepping = false
let isDue = false

/** How many dialogs this entry of the history has under it. */
const depth = () => (history.state as Entry)?.dialogs ?? 0

type Navigation = { currentEntry: { index: number } | null }

/** Whether so many steps back is still here; a page read anew in the middle of a step may have lost its entry. */
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

/** Once for all that opens and closes in one go: a dialog that takes another's place takes its entry too. */
function settleSoon() {
  if (!isDue) queueMicrotask(settle)
  isDue = true
}

/** Answers how to say that it is closed. `close` is called when the customer goes back. */
export function enterDialog(close: () => void): () => void {
  open.push(close)
  settleSoon()
  return () => {
    open.splice(open.lastIndexOf(close), 1)
    settleSoon()
  }
}

addEventListener('popstate', () => {
  const isOurs = isStepping
  isStepping = false
  // an entry whose dialog is gone, as after going forward, would take a press of Back for nothing
  if (isOurs || depth() > open.length) return settleSoon()
  for (const close of open.slice(depth()).reverse()) close()
})

// a reload closes every dialog and keeps its entry
if (depth() > 0) settleSoon()
