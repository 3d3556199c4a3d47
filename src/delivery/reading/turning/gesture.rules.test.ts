import { expect, test } from 'vitest'
import { isDoubleTap, readGesture, stepOfKey, stepTo, type Stroke, zoneOf } from './gesture.rules.ts'

const SWIPE: Stroke = {
  ...{ dx: -120, dy: 10, ms: 200, fingers: 1 },
  ...{ isTouch: true, hasSelection: false, isZoomed: false },
}

test.each<[what: string, change: Partial<Stroke>, gesture: ReturnType<typeof readGesture>]>([
  ['a quick flat move to the left', {}, 'left'],
  ['a quick flat move to the right', { dx: 120 }, 'right'],
  ['a short move', { dx: -39 }, null],
  ['a slow move, which selects text', { ms: 900 }, null],
  ['a steep move, which scrolls', { dy: 100 }, null],
  ['a move down, which scrolls', { dx: 0, dy: 300 }, null],
  ['two fingers, which zoom', { fingers: 2 }, null],
  ['a move while text is selected', { hasSelection: true }, null],
  ['a move of an enlarged page', { isZoomed: true }, null],
  ['a mouse that drags, which selects text', { isTouch: false }, null],
  ['a short press', { dx: 3, dy: 4, ms: 90 }, 'tap'],
  ['a short press with the mouse', { dx: 0, dy: 0, ms: 90, isTouch: false }, 'tap'],
  ['a short press on an enlarged page', { dx: 0, dy: 0, ms: 90, isZoomed: true }, 'tap'],
  ['a long press, which selects a word', { dx: 0, dy: 0, ms: 600 }, null],
  ['a press that removes a selection', { dx: 0, dy: 0, ms: 90, hasSelection: true }, null],
  ['a press with two fingers', { dx: 0, dy: 0, ms: 90, fingers: 2 }, null],
])('reads %s', (_, change, gesture) => {
  expect(readGesture({ ...SWIPE, ...change })).toBe(gesture)
})

test.each([
  ['soon and near', { x: 110, y: 100, at: 1200 }, true],
  ['late', { x: 100, y: 100, at: 1300 }, false],
  ['elsewhere', { x: 160, y: 100, at: 1100 }, false],
])('a second tap that comes %s', (_, second, isDouble) => {
  expect(isDoubleTap({ x: 100, y: 100, at: 1000 }, second)).toBe(isDouble)
  expect(isDoubleTap(null, second)).toBe(false)
})

test.each([
  [0, 'left'],
  [89, 'left'],
  [90, 'middle'],
  [270, 'middle'],
  [271, 'right'],
  [360, 'right'],
])('finds the zone of a tap at %i of 360 px', (x, zone) => expect(zoneOf(x, 360)).toBe(zone))

test('the right side turns to the next page, or to the previous one in a book from right to left', () => {
  expect([stepTo('right', false), stepTo('left', false), stepTo('right', true), stepTo('left', true)]).toEqual([
    1, -1, -1, 1,
  ])
})

test.each([
  ['ArrowRight', false, 1],
  ['ArrowLeft', false, -1],
  ['ArrowRight', true, null],
  ['PageDown', false, 1],
  ['PageUp', false, -1],
  [' ', false, 1],
  [' ', true, -1],
  ['a', false, null],
])('the key %j with Shift %s turns %s', (key, isShifted, step) => {
  expect(stepOfKey({ key, isShifted, isRightToLeft: false, hasPageKeys: true })).toBe(step)
  const isArrow = key.startsWith('Arrow')
  expect(stepOfKey({ key, isShifted, isRightToLeft: true, hasPageKeys: false })).toBe(isArrow && step ? -step : null)
})
