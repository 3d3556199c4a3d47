import { painted } from '../../kit/painted.client.ts'

// An element that leaves the page takes the focus with it, and the keyboard starts again at the top of the page. The
// focus moves to the same control of the next row instead, else of the row before, else to the button of an empty state,
// else to the heading. If only a part of a row left, the focus stays in the row.

const ROW = 'li, tr, article'
const CONTROLS = 'a[href], button, input, select, textarea'

export function keepFocus(): () => void {
  let held: Element | undefined
  /** The control of the page that had the focus last, or the one that took its place. A dialog or a toast returns here. */
  let place: HTMLElement | undefined

  const hold = (focused: Element | null) => {
    held = focused ?? undefined
    if (held?.closest('#main')) place = held as HTMLElement
  }
  // Radix moves the focus of a pressed control to the list of toasts until the toast has left
  const take = ({ target, relatedTarget }: FocusEvent) => {
    const [list, pressed] = [target as Element, relatedTarget as Element | null]
    hold(list.matches('.toasts') && list.contains(pressed) ? pressed : list)
  }
  // A press beside every control gives the focus up. Nothing else does: another window only borrows it, and React hides a
  // control while a part loads, just before it leaves.
  const release = () =>
    setTimeout(() => {
      if (held?.isConnected && document.activeElement === document.body) held = undefined
    })
  const look = (records: MutationRecord[]) => {
    for (const record of records)
      for (const gone of record.removedNodes)
        if (place && !place.isConnected && gone.contains(place)) place = heirOf(place, gone as Element, record)
    // a part that knows better moves the focus in the same frame
    if (isLost()) void painted().then(restore)
  }
  // another toast may have taken the place of the closed one
  const isLost = () => document.activeElement?.matches(held && !held.isConnected ? 'body, .toasts' : '.toasts:empty')
  const restore = () => {
    if (isLost()) place?.focus()
    if (isLost()) (find('.empty__action > *') ?? find('h1'))?.focus({ preventScroll: true })
  }

  hold(document.activeElement)
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', take)
  document.addEventListener('pointerup', release)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', take)
    document.removeEventListener('pointerup', release)
  }
}

const find = (part: string) => document.querySelector<HTMLElement>(`#main ${part}`)
const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>(CONTROLS)]

/** The same control of the row beside a removed row; the first control of the row that a part was removed from. */
function heirOf(control: HTMLElement, gone: Element, { target, nextSibling, previousSibling }: MutationRecord) {
  if (!gone.matches(ROW)) return (target as Element).closest(ROW)?.querySelector<HTMLElement>(CONTROLS) ?? undefined
  const beside = [nextSibling, previousSibling].find((sibling) => sibling instanceof Element && sibling.matches(ROW))
  const own = controlsOf(gone)
  // rows differ at their start, so it counts from the end
  return beside ? controlsOf(beside as Element).at(own.indexOf(control) - own.length) : undefined
}
