import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Point, type Step, stepOfKey, stepTo } from './gesture.rules.ts'
import { watchGestures } from './watchGestures.client.ts'

type Turning = {
  isRightToLeft?: boolean
  /** Space and the page keys turn pages, where nothing scrolls. */
  hasPageKeys?: boolean
  onTurn: (step: Step, by: 'key' | 'swipe') => void
  onTap: (point: Point) => void
  onDoubleTap?: (point: Point) => void
}

const FIELDS = 'input, textarea, select, dialog, [role="dialog"]'
/** Space presses these. */
const PRESSED = 'button, summary, audio, video'

/** Turns the pages of a reader with keys and with swipes on `surface`. */
export function useTurning(surface: RefObject<HTMLElement | null>, turning: Turning) {
  const { isRightToLeft = false, hasPageKeys = false, onTurn, onTap, onDoubleTap } = turning
  const hasDoubleTap = onDoubleTap !== undefined
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    const target = event.target as Element
    if (altKey || ctrlKey || metaKey || target.closest?.(FIELDS) || (key === ' ' && target.closest?.(PRESSED))) return
    const step = stepOfKey({ key, isShifted: shiftKey, isRightToLeft, hasPageKeys })
    if (!step) return
    if (!key.startsWith('Arrow')) event.preventDefault()
    onTurn(step, 'key')
  })
  // the page on the right comes when the finger moves to the left
  const swipe = useEffectEvent((direction: 'left' | 'right') =>
    onTurn(stepTo(direction === 'left' ? 'right' : 'left', isRightToLeft), 'swipe'),
  )
  const tap = useEffectEvent((point: Point) => onTap(point))
  const tapTwice = useEffectEvent((point: Point) => onDoubleTap?.(point))
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
  useEffect(() => {
    if (!surface.current) return
    return watchGestures(surface.current, {
      onSwipe: (direction) => swipe(direction),
      onTap: (point) => tap(point),
      ...(hasDoubleTap && { onDoubleTap: (point: Point) => tapTwice(point) }),
    })
  }, [surface, hasDoubleTap])
}
