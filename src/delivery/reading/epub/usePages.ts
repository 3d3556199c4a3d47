import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Look } from '../look/look.rules.ts'
import type { Step } from '../turning/gesture.rules.ts'
import { anchorOf } from './chapter.client.ts'
import { flowOf, pageOf, showPage, slideIn } from './flow.client.ts'
import { pageAtShare, shareOfPage } from './pages.rules.ts'

/** Position in a chapter. `pagesLeft` is null if the chapter scrolls. */
export type Position = { share: number; pagesLeft: number | null }

type PagesInput = {
  /** Where to open the text on the screen. Null while another text loads. */
  start: { share: number; fragment: string } | null
  look: Look
  onMove: (share: number, isByReader: boolean) => void
}

/** The position in a text. On phones it shows one page at a time; on wider screens the window scrolls. */
export function usePages(text: RefObject<HTMLElement | null>, { start, look, onMove }: PagesInput) {
  const [position, setPosition] = useState<Position>({ share: 0, pagesLeft: null })
  const wasPaged = useRef(false)

  const move = (next: Position, isByReader: boolean) => {
    setPosition(next)
    onMove(next.share, isByReader)
  }
  const positionAt = (page: number, count: number): Position => ({
    ...{ share: shareOfPage(page, count), pagesLeft: count - 1 - page },
  })
  const showAt = (element: HTMLElement, share: number, anchor: Element | null) => {
    const flow = flowOf(element)
    wasPaged.current = flow !== null
    if (flow) {
      const page = anchor ? pageOf(anchor, element, flow) : pageAtShare(share, flow.count)
      showPage(element, flow, page)
      return move(positionAt(page, flow.count), false)
    }
    const box = element.getBoundingClientRect()
    if (anchor) anchor.scrollIntoView()
    else if (share > 0) scrollTo(0, scrollY + box.top + share * box.height - innerHeight / 2)
    else if (box.top < 0) element.scrollIntoView()
    move({ share, pagesLeft: null }, false)
  }
  const restore = useEffectEvent(() => {
    if (!text.current || !start) return
    showAt(text.current, start.share, start.fragment ? document.getElementById(anchorOf(start.fragment)) : null)
  })
  // Before the browser paints the new text. The number of pages is known after the layout only.
  // oxlint-disable-next-line react/set-state-in-effect
  useLayoutEffect(() => restore(), [start])

  // another size, font, margin or screen makes other pages
  const layAnew = useEffectEvent(() => {
    const element = text.current
    if (element && start && (wasPaged.current || flowOf(element))) showAt(element, position.share, null)
  })
  useLayoutEffect(() => layAnew(), [look])
  useEffect(() => {
    const element = text.current
    if (!start || !element) return
    const watcher = new ResizeObserver(() => layAnew())
    const load = () => layAnew()
    watcher.observe(element)
    element.addEventListener('load', load, { capture: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('load', load, { capture: true })
    }
  }, [start, text])

  const settle = useEffectEvent(() => {
    const element = text.current
    if (!element || !start) return
    const flow = flowOf(element)
    if (flow) {
      // a search of the browser or the focus of a link may stop between two pages
      showPage(element, flow, flow.page)
      return move(positionAt(flow.page, flow.count), true)
    }
    const box = element.getBoundingClientRect()
    const share = box.height <= innerHeight ? 1 : (innerHeight / 2 - box.top) / box.height
    move({ share: Math.min(1, Math.max(0, share)), pagesLeft: null }, true)
  })
  useEffect(() => {
    // the text scrolls on phones, the window on wider screens
    const listener = ({ target }: Event) => {
      const element = text.current
      if (element && target === (flowOf(element) ? element : document)) settle()
    }
    addEventListener('scroll', listener, { passive: true, capture: true })
    return () => removeEventListener('scroll', listener, { capture: true })
  }, [text])

  /** Turns a page. Returns false at the end of the text. */
  function turn(step: Step): boolean {
    const element = text.current
    const flow = element && flowOf(element)
    const page = flow ? flow.page + step : -1
    if (!element || !flow || page < 0 || page >= flow.count) return false
    showPage(element, flow, page)
    slideIn(element, step)
    move(positionAt(page, flow.count), true)
    return true
  }

  return { position, turn }
}
