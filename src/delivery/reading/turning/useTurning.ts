import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type Point, type Step, stepTo } from './gesture.rules.ts'
import { watchGestures } from './watchGestures.client.ts'

type Turning = {
  isRightToLeft?: boolean
  onTurn: (step: Step, by: 'key' | 'swipe') => void
  onTap: (point: Point) => void
  onDoubleTap?: (point: Point) => void
}

const FIELDS = 'input, textarea, select, dialog, [role="dialog"]'

/** Turns the pages of a reader with the arrow keys and with swipes on `surface`. */
export function useTurning(surface: RefObject<HTMLElement | null>, turning: Turning) {
  const { isRightToLeft = false, onTurn, onTap, onDoubleTap } = turning
  const hasDoubleTap = onDoubleTap !== undefined
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event
    if (altKey || ctrlKey || metaKey || shiftKey || (target as Element).closest?.(FIELDS)) return
    if (key === 'ArrowRight') onTurn(stepTo('right', isRightToLeft), 'key')
    else if (key === 'ArrowLeft') onTurn(stepTo('left', isRightToLeft), 'key')
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
