import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attachment, readRange } from './range.rules.ts'

test.each([
  [undefined, 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=90-200', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'invalid'],
  ['bytes=100-99', 'whole'],
  ['bytes=200-300', 'invalid'],
  ['bytes=-0', 'invalid'],
  ['bytes=0-9223372036854775807', { start: 0, end: 99 }],
  ['bytes=5-18446744073709551615', { start: 5, end: 99 }],
  ['bytes=18446744073709551615-', 'invalid'],
  ['bytes=-18446744073709551615', { start: 0, end: 99 }],
  ['bytes= 0-1 ', { start: 0, end: 1 }],
  ['Bytes=0-1', { start: 0, end: 1 }],
  ['bytes=5-4', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['bytes=0-0,-1', 'whole'],
] as const)('parses %j as %j of 100 bytes', (header, range) => expect(readRange(header, 100)).toEqual(range))

test('limits every range to the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 1e9 }), (junk, a, b, size) => {
      for (const header of [`bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`, `bytes=${junk}`]) {
        const range = readRange(header, size)
        if (typeof range === 'object' && !(range.start >= 0 && range.start <= range.end && range.end < size))
          return false
      }
      return true
    }),
  )
})

test('escapes a file name in its header', () => {
  const header = attachment('a"; x=\r\n<é>.pdf')
  expect(header).not.toMatch(/[\r\n]/)
  expect(header).toBe(`attachment; filename="a__ x=__<_>.pdf"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A%3C%C3%A9%3E.pdf`)
})
