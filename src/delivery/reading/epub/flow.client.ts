import { type Flow, pageAtOffset, readPages } from './pages.rules.ts'

/** Reads the pages of a text. Returns null if the text scrolls, as on wide screens. */
export function flowOf(text: HTMLElement): Flow | null {
  const { columnWidth, columnGap } = getComputedStyle(text)
  if (columnWidth === 'auto') return null
  return readPages({
    width: text.getBoundingClientRect().width,
    gap: Number.parseFloat(columnGap) || 0,
    scrollWidth: text.scrollWidth,
    scrollLeft: text.scrollLeft,
  })
}

const isRightToLeft = (text: HTMLElement) => getComputedStyle(text).direction === 'rtl'

export function showPage(text: HTMLElement, { pitch }: Flow, page: number) {
  text.scrollLeft = page * pitch * (isRightToLeft(text) ? -1 : 1)
}

/** The scroll offset of the columns of a text, or of the window if the text has no columns. */
export const offsetOf = (text: HTMLElement, flow: Flow | null): number => (flow ? text.scrollLeft : scrollY)

/** Share of a scrolling text above the middle of the window. */
export function shareOnScreen(text: HTMLElement): number {
  const { top, height } = text.getBoundingClientRect()
  return height > 0 ? Math.min(1, Math.max(0, (innerHeight / 2 - top) / height)) : 0
}

export function pageOf(anchor: Element, text: HTMLElement, flow: Flow): number {
  const [from, to] = [text.getBoundingClientRect(), anchor.getBoundingClientRect()]
  const shown = isRightToLeft(text) ? from.right - to.right : to.left - from.left
  return pageAtOffset(shown + Math.abs(text.scrollLeft), flow)
}

const TURN_MS = 160

/** Moves the new page in from its side, unless the reader prefers less motion. */
export function slideIn(text: HTMLElement, direction: number) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const side = direction * (isRightToLeft(text) ? -1 : 1)
  text.animate(
    [
      { translate: `${side * 12}% 0`, opacity: 0.3 },
      { translate: '0 0', opacity: 1 },
    ],
    {
      duration: TURN_MS,
      easing: 'ease-out',
    },
  )
}
