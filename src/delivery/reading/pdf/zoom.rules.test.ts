import fc from 'fast-check'
import { expect, test } from 'vitest'
import { densityOf, scrollToKeep, zoomAfterDoubleTap } from './zoom.rules.ts'

test('a double tap doubles the page, and fits it again from any zoom', () => {
  expect([1, 1.5, 2, 3].map(zoomAfterDoubleTap)).toEqual([2, 1, 1, 1])
})

const PAGE = { left: 16, top: 48, width: 358, height: 500 }
const DOUBLED = { left: 16, top: 48, width: 716, height: 1000 }

test.each([
  ['its top left corner', { x: 16, y: 48 }, { left: 0, top: 0 }],
  ['its centre', { x: 195, y: 298 }, { left: 179, top: 250 }],
  ['its bottom right corner', { x: 374, y: 548 }, { left: 358, top: 500 }],
])('a page that doubles scrolls so that %s stays in place', (_, point, scroll) => {
  expect(scrollToKeep(point, PAGE, DOUBLED)).toEqual(scroll)
})

test('the part of the page under the finger stays there', () => {
  const box = fc.record({
    left: fc.integer({ min: -2000, max: 2000 }),
    top: fc.integer({ min: -2000, max: 2000 }),
    width: fc.integer({ min: 1, max: 3000 }),
    height: fc.integer({ min: 1, max: 3000 }),
  })
  fc.assert(
    fc.property(box, box, fc.nat(400), fc.nat(800), (before, after, x, y) => {
      const { left, top } = scrollToKeep({ x, y }, before, after)
      expect((x + left - after.left) / after.width).toBeCloseTo((x - before.left) / before.width)
      expect((y + top - after.top) / after.height).toBeCloseTo((y - before.top) / before.height)
    }),
  )
})

test.each([
  [358, 500, 1, 1],
  [358, 500, 3, 2],
  [2700, 3800, 2, 1.249],
])(
  'a canvas of %i x %i on a screen of density %i has %d pixels for each CSS pixel',
  (width, height, screen, density) => {
    expect(densityOf(width, height, screen)).toBeCloseTo(density, 2)
  },
)
