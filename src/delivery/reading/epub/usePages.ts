import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { createStore, type Store } from '../../../kit/store.client.ts'
import type { Look } from '../look/look.rules.ts'
import type { Step } from '../turning/gesture.rules.ts'
import { anchorOf } from './chapter.client.ts'
import { flowOf, offsetOf, pageOf, shareOnScreen, showPage, slideIn } from './flow.client.ts'
import { type Flow, pageAtShare, shareOfPage } from './pages.rules.ts'

/** What the screen shows of a chapter. */
export type Position = {
  /** Share of the chapter that counts as read. */
  progress: number
  page: number
  /** Null if the chapter scrolls. */
  pagesLeft: number | null
}

/** Place in a chapter, independent of the layout: a share of its length, or an anchor. */
type Place = { share: number; fragment: string }

type PagesInput = {
  /** Where to open the text on the screen. Null while another text loads. */
  start: Place | null
  look: Look
  onMove: (move: { share: number; progress: number; isByReader: boolean }) => void
}

export type Pages = { position: Store<Position>; turn: (step: Step) => boolean }

/** The position in a text. On phones it shows one page at a time; on wider screens the window scrolls. */
export function usePages(text: RefObject<HTMLElement | null>, { start, look, onMove }: PagesInput): Pages {
  // a store, because rendering a long chapter at each scroll event is slow
  const [position] = useState(() => createStore<Position>({ progress: 0, page: 0, pagesLeft: null }))
  /** Where the reader is. Only the reader changes it, so that a new layout does not move the place. */
  const place = useRef<Place>({ share: 0, fragment: '' })
  /** The scroll offset that `show` or `turn` set. Null after the reader scrolled. */
  const ownOffset = useRef<number | null>(null)
  const wasPaged = useRef(false)

  const note = (element: HTMLElement, flow: Flow | null, isByReader: boolean) => {
    const { share } = place.current
    const isWhole = flow ? flow.count === 1 : element.getBoundingClientRect().height <= innerHeight
    const progress = isWhole ? 1 : share
    position.set({ progress, page: flow?.page ?? 0, pagesLeft: flow && flow.count - 1 - flow.page })
    onMove({ share, progress, isByReader })
  }
  const show = (element: HTMLElement) => {
    const { share, fragment } = place.current
    const anchor = fragment ? document.getElementById(anchorOf(fragment)) : null
    let flow = flowOf(element)
    wasPaged.current = flow !== null
    if (flow) {
      const page = anchor ? pageOf(anchor, element, flow) : pageAtShare(share, flow.count)
      showPage(element, flow, page)
      if (anchor) place.current = { share: shareOfPage(page, flow.count, share), fragment }
      flow = { ...flow, page }
    } else if (anchor) {
      anchor.scrollIntoView()
      place.current = { share: shareOnScreen(element), fragment }
    } else {
      const box = element.getBoundingClientRect()
      if (share > 0) scrollTo(0, scrollY + box.top + share * box.height - innerHeight / 2)
      else if (box.top < 0) element.scrollIntoView()
    }
    ownOffset.current = offsetOf(element, flow)
    note(element, flow, false)
  }
  const restore = useEffectEvent(() => {
    if (!text.current || !start) return
    place.current = { share: start.share, fragment: start.fragment }
    show(text.current)
  })
  // Before the browser paints the new text. The number of pages is known after the layout only.
  useLayoutEffect(() => restore(), [start])

  // another size, font, margin or screen makes other pages, and so do pictures that load
  const layAnew = useEffectEvent(() => {
    const element = text.current
    if (element && start && (wasPaged.current || flowOf(element) || ownOffset.current !== null)) show(element)
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

  const follow = useEffectEvent((target: EventTarget | null) => {
    const element = text.current
    const flow = element && flowOf(element)
    // the text scrolls on phones, the window on wider screens
    if (!element || !start || target !== (flow ? element : document)) return
    if (ownOffset.current !== null && Math.abs(offsetOf(element, flow) - ownOffset.current) < 1) return
    ownOffset.current = null
    if (flow) {
      // Find in the browser or the focus of a link may scroll to a place between two pages
      showPage(element, flow, flow.page)
      ownOffset.current = offsetOf(element, flow)
    }
    const { share } = place.current
    place.current = { share: flow ? shareOfPage(flow.page, flow.count, share) : shareOnScreen(element), fragment: '' }
    note(element, flow, true)
  })
  useEffect(() => {
    const listener = ({ target }: Event) => follow(target)
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
    ownOffset.current = offsetOf(element, flow)
    place.current = { share: shareOfPage(page, flow.count, 0), fragment: '' }
    note(element, { ...flow, page }, true)
    return true
  }

  return { position, turn }
}
