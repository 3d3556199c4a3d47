import { useEffect, useRef, useState } from 'react'
import { anchorOf, currentPart, type EditPartId } from './editParts.rules.ts'

/** The width from which the links to the parts are shown. */
const WIDE = '(min-width: 1024px)'

const elementOf = (id: EditPartId) => document.getElementById(anchorOf(id))

function find(ids: EditPartId[]) {
  const places = ids.flatMap((id) => {
    const element = elementOf(id)
    return element ? [{ id, top: element.getBoundingClientRect().top }] : []
  })
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
  return currentPart(places, innerHeight, isAtEnd)
}

/** Returns the current part, and a function that scrolls to a part and focuses it. */
export function useCurrentPart(ids: EditPartId[]) {
  const [current, setCurrent] = useState(ids[0])
  const isJump = useRef(false)
  const shown = ids.join(' ')
  useEffect(() => {
    const isWide = matchMedia(WIDE)
    const follow = () => {
      if (!isWide.matches) return
      // a short part can be above or below the line after a jump to it
      if (!isJump.current) setCurrent(find(shown.split(' ') as EditPartId[]))
      isJump.current = false
    }
    // the parts change with the kind and the price
    follow()
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [shown])
  const jump = (id: EditPartId) => {
    const element = elementOf(id)
    if (!element) return
    const before = scrollY
    element.scrollIntoView()
    element.focus({ preventScroll: true })
    // the event of this scroll comes later
    isJump.current = scrollY !== before
    setCurrent(id)
  }
  return { current, jump }
}
