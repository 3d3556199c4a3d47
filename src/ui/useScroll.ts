import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { awaitHeading } from './PageHead.tsx'

// Where each entry of the history was scrolled to. The browser would restore it before the page has its height.
const positions: Record<string, number> = JSON.parse(sessionStorage.getItem('scroll') ?? '{}') as Record<string, number>
let isReturning = true
let isLoading = true
let here = location.pathname

// here and not in an effect: the router must not have drawn the page by then
addEventListener('popstate', () => {
  // a step that closes a dialog stays on its page
  if (location.pathname === here) return
  isReturning = true
  awaitHeading()
})

type Navigation = { currentEntry?: { key: string } | null }

const entry = () => (globalThis as { navigation?: Navigation }).navigation?.currentEntry?.key ?? location.href

export const wasScrolled = () => isReturning && (positions[entry()] ?? 0) > 0

function remember() {
  positions[entry()] = scrollY
}

/** How long a page that is still growing is followed to where it was left, in milliseconds. */
const TIMEOUT = 1500

/** A new page begins at its top; going back and reloading lead to where the page was left. */
export function useScroll() {
  const [path] = useLocation()
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const keep = () => {
      // an open dialog has an entry of its own, over which nothing was scrolled
      remember()
      sessionStorage.setItem('scroll', JSON.stringify(positions))
    }
    addEventListener('scroll', remember, { passive: true })
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('scroll', remember)
      removeEventListener('pagehide', keep)
    }
  }, [])

  useLayoutEffect(() => {
    const wanted = isReturning ? (positions[entry()] ?? 0) : 0
    const isScrolled = isLoading && wanted === 0 && scrollY > 0
    isReturning = isLoading = false
    here = location.pathname
    // the reader or the URL's fragment may have scrolled the page before hydration
    if (isScrolled) return remember()
    scrollTo(0, wanted)
    if (wanted === 0) return
    const until = performance.now() + TIMEOUT
    const isReached = () => Math.abs(scrollY - wanted) < 2
    let frame = 0
    const follow = () => {
      if (isReached() || performance.now() > until) return stop()
      scrollTo(0, wanted)
      frame = requestAnimationFrame(follow)
    }
    const stop = () => {
      cancelAnimationFrame(frame)
      for (const type of ['wheel', 'touchstart', 'keydown']) removeEventListener(type, stop)
    }
    for (const type of ['wheel', 'touchstart', 'keydown']) addEventListener(type, stop, { passive: true })
    frame = requestAnimationFrame(follow)
    return stop
  }, [path])
}
