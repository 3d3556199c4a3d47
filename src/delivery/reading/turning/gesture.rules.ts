export type Point = { x: number; y: number }

/** One touch or press, from its first contact to its last. */
export type Stroke = {
  dx: number
  dy: number
  ms: number
  /** The most fingers that touched the screen at one moment. */
  fingers: number
  isTouch: boolean
  /** Text was selected when the stroke began or ended. */
  hasSelection: boolean
  /** The browser shows the page enlarged, so a finger moves the page. */
  isZoomed: boolean
}

export type Gesture = 'left' | 'right' | 'tap'

const TAP_PIXELS = 10
/** A longer press selects text. */
const TAP_MS = 450
const SWIPE_PIXELS = 40
const SWIPE_MS = 800

/** Returns null for a stroke that belongs to the browser: it scrolls, zooms or selects text. */
export function readGesture({ dx, dy, ms, fingers, isTouch, hasSelection, isZoomed }: Stroke): Gesture | null {
  if (fingers > 1 || hasSelection) return null
  if (Math.hypot(dx, dy) <= TAP_PIXELS) return ms <= TAP_MS ? 'tap' : null
  const isFlat = Math.abs(dx) >= SWIPE_PIXELS && Math.abs(dx) > 1.5 * Math.abs(dy)
  if (!isTouch || isZoomed || !isFlat || ms > SWIPE_MS) return null
  return dx < 0 ? 'left' : 'right'
}

export type Tap = Point & { at: number }

const DOUBLE_TAP_PIXELS = 30
export const DOUBLE_TAP_MS = 280

export const isDoubleTap = (first: Tap | null, second: Tap): boolean =>
  first !== null &&
  second.at - first.at <= DOUBLE_TAP_MS &&
  Math.hypot(second.x - first.x, second.y - first.y) <= DOUBLE_TAP_PIXELS

export type Zone = 'left' | 'middle' | 'right'

const EDGE_SHARE = 0.25

export function zoneOf(x: number, width: number): Zone {
  if (x < width * EDGE_SHARE) return 'left'
  return x > width * (1 - EDGE_SHARE) ? 'right' : 'middle'
}

export type Step = 1 | -1

/** The step that shows what is on this side of the page: 1 is the next page. */
export const stepTo = (side: 'left' | 'right', isRightToLeft: boolean): Step =>
  (side === 'right') === isRightToLeft ? -1 : 1

type PressedKey = { key: string; isShifted: boolean; isRightToLeft: boolean; hasPageKeys: boolean }

/** Returns null for a key that turns no page. */
export function stepOfKey({ key, isShifted, isRightToLeft, hasPageKeys }: PressedKey): Step | null {
  if (key === ' ' && hasPageKeys) return isShifted ? -1 : 1
  if (isShifted) return null
  if (key === 'ArrowRight' || key === 'ArrowLeft') return stepTo(key === 'ArrowRight' ? 'right' : 'left', isRightToLeft)
  if (!hasPageKeys) return null
  if (key === 'PageDown') return 1
  return key === 'PageUp' ? -1 : null
}
