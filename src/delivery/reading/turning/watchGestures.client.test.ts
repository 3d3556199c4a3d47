import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DOUBLE_TAP_MS } from './gesture.rules.ts'
import { watchGestures } from './watchGestures.client.ts'

const page = new EventTarget()
let selected = ''
const seen: string[] = []
let stop: () => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { visualViewport: { scale: 1 } })
  vi.stubGlobal('getSelection', () => ({ isCollapsed: selected === '' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  seen.length = 0
  selected = ''
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A surface whose events have a target that is a control or not. */
function surfaceOf(isControl = false): HTMLElement {
  const surface = new EventTarget()
  return Object.assign(surface, { closest: () => (isControl ? surface : null) }) as unknown as HTMLElement
}

const event = (type: string, fields: object) =>
  Object.defineProperties(
    new Event(type),
    Object.fromEntries(
      Object.entries({ pointerId: 1, pointerType: 'touch', button: 0, clientX: 200, clientY: 300, ...fields }).map(
        ([name, value]) => [name, { value }],
      ),
    ),
  )

const watch = (surface: HTMLElement, hasDoubleTap = false) => {
  stop = watchGestures(surface, {
    onSwipe: (direction) => void seen.push(direction),
    onTap: ({ x, y }) => void seen.push(`tap ${x} ${y}`),
    ...(hasDoubleTap && { onDoubleTap: ({ x, y }) => void seen.push(`double ${x} ${y}`) }),
  })
}

const press = (surface: HTMLElement, at = 0, to = {}) => {
  surface.dispatchEvent(event('pointerdown', { timeStamp: at }))
  page.dispatchEvent(event('pointerup', { timeStamp: at + 100, ...to }))
}

test('a swipe and a tap on the page are recognized until the watch ends', () => {
  const surface = surfaceOf()
  watch(surface)
  press(surface, 0, { clientX: 80 })
  press(surface, 1000, { clientX: 320 })
  press(surface, 2000)
  expect(seen).toEqual(['left', 'right', 'tap 200 300'])
  stop()
  press(surface, 3000)
  expect(seen).toHaveLength(3)
})

test('ignores a press on a link or button', () => {
  const surface = surfaceOf(true)
  watch(surface)
  press(surface)
  expect(seen).toEqual([])
})

test('a second finger, a selection and a scroll of the browser end the gesture', () => {
  const surface = surfaceOf()
  watch(surface)
  surface.dispatchEvent(event('pointerdown', { timeStamp: 0 }))
  surface.dispatchEvent(event('pointerdown', { timeStamp: 10, pointerId: 2 }))
  page.dispatchEvent(event('pointerup', { timeStamp: 100, clientX: 60 }))
  page.dispatchEvent(event('pointerup', { timeStamp: 110, pointerId: 2 }))

  surface.dispatchEvent(event('pointerdown', { timeStamp: 1000 }))
  page.dispatchEvent(event('pointercancel', { timeStamp: 1020 }))
  page.dispatchEvent(event('pointerup', { timeStamp: 1100, clientX: 60 }))

  surface.dispatchEvent(event('pointerdown', { timeStamp: 2000 }))
  selected = 'word'
  page.dispatchEvent(event('pointerup', { timeStamp: 2100, clientX: 60 }))
  expect(seen).toEqual([])

  selected = ''
  press(surface, 3000, { clientX: 60 })
  expect(seen).toEqual(['left'])
})

test('a missed end of a touch does not disable the gestures', () => {
  const surface = surfaceOf()
  watch(surface)
  surface.dispatchEvent(event('pointerdown', { timeStamp: 0, pointerId: 7 }))
  surface.dispatchEvent(event('pointerdown', { timeStamp: 1000, isPrimary: true }))
  page.dispatchEvent(event('pointerup', { timeStamp: 1100, clientX: 60 }))
  expect(seen).toEqual(['left'])
})

test('with double taps, a single tap waits, and a double tap replaces both single taps', () => {
  const surface = surfaceOf()
  watch(surface, true)
  press(surface, 0)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(DOUBLE_TAP_MS)
  expect(seen).toEqual(['tap 200 300'])
  press(surface, 1000)
  press(surface, 1150)
  vi.advanceTimersByTime(DOUBLE_TAP_MS * 2)
  expect(seen).toEqual(['tap 200 300', 'double 200 300'])
})
