import { type RefObject, useEffect } from 'react'

/** How far a finger goes before it is on its way, in pixels. */
const STEP = 8

/** How much before its end nothing of a page is under the button any more, in pixels. */
const ROOM = 20

/**
 * Marks the button while somebody scrolls down (`data-aside`) and while the end of the page is in sight (`data-end`); what
 * that means the style sheet says, for phones alone. Attributes, so that nothing is drawn anew.
 */
export function useStepAside(button: RefObject<HTMLElement | null>, end: RefObject<Element | null>) {
  useEffect(() => {
    let last = scrollY
    const look = () => {
      // the bounce at the top of a page is no way down
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
