import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { awaitHeading } from './PageHead.tsx'

// The scroll position of each history entry. The browser would restore it before the page has its full height.
const positions: Record<string, number> = JSON.parse(sessionStorage.getItem('scroll') ?? '{}') as Record<string, number>
let isReturning = true
let isLoading = true
let here = location.pathname

// not in an effect, because this must run before the router draws the page
addEventListener('popstate', () => {
  // Back only closed a dialog
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

/** Milliseconds in which the scroll position is set again while the page still grows. */
const TIMEOUT = 1500

/** Starts a new page at its top. Restores the scroll position after Back and after a reload. */
export function useScroll() {
  const [path] = useLocation()
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const keep = () => {
      // stores the position of the current entry too: an open dialog has its own entry, without a scroll event
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
    // the user or the URL's fragment may have scrolled the page before hydration
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
