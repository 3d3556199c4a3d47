import { expect, test } from 'vitest'
import { canStamp, MAX_STAMPED_BYTES, placeStamp, stampOf } from './stamp.rules.ts'

const page = { x: 10, y: 20, width: 600, height: 800 }

test.each([
  [0, { x: 24, y: 34, angle: 0 }],
  [90, { x: 596, y: 34, angle: 90 }],
  [180, { x: 596, y: 806, angle: 180 }],
  [-90, { x: 24, y: 806, angle: 270 }],
  [450, { x: 596, y: 34, angle: 90 }],
])('stamps a page rotated by %i degrees at the visible bottom left', (angle, place) => {
  expect(placeStamp(page, angle)).toEqual(place)
})

test('stamps PDFs up to 50 MB, with characters that the font has', () => {
  expect(canStamp({ contentType: 'application/pdf', sizeBytes: MAX_STAMPED_BYTES })).toBe(true)
  expect(canStamp({ contentType: 'application/pdf', sizeBytes: MAX_STAMPED_BYTES + 1 })).toBe(false)
  expect(canStamp({ contentType: 'application/epub+zip', sizeBytes: 1 })).toBe(false)
  expect(stampOf('jörg+Ω@example.com')).toBe('Copy of jörg+?@example.com')
})
