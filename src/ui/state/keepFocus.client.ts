import { painted } from '../../kit/painted.client.ts'

// If a focused element is removed, browsers reset the focus to the top of the page. Instead, this moves the focus to
// the same control of the next row, or else of the row before, the button of an empty state, or the heading. If only a
// part of a row was removed, the focus stays in the row. Otherwise it moves to the title of the section, if that title has
// a `tabIndex`.

const ROW = 'li, tr, article'
const CONTROLS = 'a[href], button, input, select, textarea'
const SECTION_TITLE = 'h2[tabindex]'

export function keepFocus(): () => void {
  let held: Element | undefined
  /** The control of the page that had the focus last, or its replacement. Dialogs and toasts return the focus to it. */
  let place: HTMLElement | undefined

  const hold = (focused: Element | null) => {
    held = focused ?? undefined
    if (held?.closest('#main')) place = held as HTMLElement
  }
  // Radix focuses the list of toasts instead of a pressed control of a toast until the toast is removed
  const take = ({ target, relatedTarget }: FocusEvent) => {
    const [list, pressed] = [target as Element, relatedTarget as Element | null]
    hold(list.matches('.toasts') && list.contains(pressed) ? pressed : list)
  }
  // Only a press outside all controls drops the focus on purpose. Another window takes the focus temporarily, and React
  // hides a control before it removes it while a part loads.
  const release = () =>
    setTimeout(() => {
      if (held?.isConnected && document.activeElement === document.body) held = undefined
    })
  const look = (records: MutationRecord[]) => {
    for (const record of records)
      for (const gone of record.removedNodes)
        if (place && !place.isConnected && gone.contains(place)) place = heirOf(place, gone as Element, record)
    // other code may move the focus in the same frame, so check again after it
    if (isLost()) void painted().then(restore)
  }
  // another toast may have replaced the closed toast
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

/**
 * Returns the same control of the row next to a removed row, the first control of a row that lost a part, or the title of a
 * section that lost a part.
 */
function heirOf(control: HTMLElement, gone: Element, { target, nextSibling, previousSibling }: MutationRecord) {
  const firstIn = (place: string, part: string) => (target as Element).closest(place)?.querySelector<HTMLElement>(part)
  if (!gone.matches(ROW)) return firstIn(ROW, CONTROLS) ?? firstIn('section', SECTION_TITLE) ?? undefined
  const beside = [nextSibling, previousSibling].find((sibling) => sibling instanceof Element && sibling.matches(ROW))
  const own = controlsOf(gone)
  // counts from the end, because rows differ at their start
  return beside ? controlsOf(beside as Element).at(own.indexOf(control) - own.length) : undefined
}
