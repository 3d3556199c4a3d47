import { DOUBLE_TAP_MS, isDoubleTap, type Point, readGesture, type Tap } from './gesture.rules.ts'

export type GestureHandlers = {
  onSwipe: (direction: 'left' | 'right') => void
  onTap: (point: Point) => void
  /** If it is set, `onTap` runs only after the time for a second tap has passed. */
  onDoubleTap?: (point: Point) => void
}

/** The buttons, links and fields on a page handle presses themselves. */
const CONTROLS = 'a, button, input, select, textarea, summary, label, .reader__foot, [role="alert"]'

const hasSelection = () => !(getSelection()?.isCollapsed ?? true)
const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01

type Start = Point & { at: number; id: number; isTouch: boolean; hadSelection: boolean }

/** Recognizes swipes and taps on an element. Returns a function that ends it. */
export function watchGestures(surface: HTMLElement, handlers: GestureHandlers): () => void {
  const fingers = new Set<number>()
  let most = 0
  let start: Start | null = null
  let first: Tap | null = null
  let waiting: ReturnType<typeof setTimeout> | undefined

  function tap(point: Tap) {
    clearTimeout(waiting)
    const { onTap, onDoubleTap } = handlers
    if (!onDoubleTap) return onTap(point)
    if (isDoubleTap(first, point)) {
      first = null
      return onDoubleTap(point)
    }
    first = point
    waiting = setTimeout(() => onTap(point), DOUBLE_TAP_MS)
  }

  function down(event: PointerEvent) {
    const { pointerId, pointerType, isPrimary, clientX, clientY, button, target, timeStamp } = event
    // a primary pointer is the first finger, even if the page missed the end of an earlier touch
    if (isPrimary) fingers.clear()
    if (fingers.size === 0) most = 0
    fingers.add(pointerId)
    most = Math.max(most, fingers.size)
    if (most > 1 || button !== 0 || (target as Element).closest(CONTROLS)) start = null
    else
      start = {
        ...{ x: clientX, y: clientY, at: timeStamp, id: pointerId, isTouch: pointerType !== 'mouse' },
        hadSelection: hasSelection(),
      }
  }

  function up({ pointerId, clientX: x, clientY: y, timeStamp: at }: PointerEvent) {
    fingers.delete(pointerId)
    const begun = start
    if (!begun || begun.id !== pointerId) return
    start = null
    const gesture = readGesture({
      ...{ dx: x - begun.x, dy: y - begun.y, ms: at - begun.at, fingers: most, isTouch: begun.isTouch },
      ...{ hasSelection: begun.hadSelection || hasSelection(), isZoomed: isZoomed() },
    })
    if (gesture === 'tap') tap({ x, y, at })
    else if (gesture) handlers.onSwipe(gesture)
  }

  // the browser takes the pointer to scroll, zoom or select
  function cancel({ pointerId }: PointerEvent) {
    fingers.delete(pointerId)
    if (start?.id === pointerId) start = null
  }

  surface.addEventListener('pointerdown', down)
  // a mouse may be released outside
  addEventListener('pointerup', up)
  addEventListener('pointercancel', cancel)
  return () => {
    clearTimeout(waiting)
    surface.removeEventListener('pointerdown', down)
    removeEventListener('pointerup', up)
    removeEventListener('pointercancel', cancel)
  }
}
