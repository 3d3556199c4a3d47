import { type RefObject, useEffect } from 'react'

/** How far a finger moves before it counts as scrolling, in pixels. */
const STEP = 8

/** The distance from the end of a page at which nothing is under the button, in pixels. */
const ROOM = 20

/**
 * Marks the button while the page scrolls down (`data-aside`) and at its end (`data-end`) for the style sheet of
 * phones. Attributes avoid a render.
 */
export function useStepAside(button: RefObject<HTMLElement | null>, end: RefObject<Element | null>) {
  useEffect(() => {
    let last = scrollY
    const look = () => {
      // ignores the bounce at the top of a page
      const now = Math.max(0, scrollY)
      if (Math.abs(now - last) < STEP) return
      button.current?.toggleAttribute('data-aside', now > last)
      last = now
    }
    const watch = new IntersectionObserver(
      (seen) => button.current?.toggleAttribute('data-end', seen.at(-1)!.isIntersecting),
      { rootMargin: `0px 0px ${ROOM}px` },
    )
    watch.observe(end.current!)
    addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      removeEventListener('scroll', look)
    }
  }, [button, end])
}
