import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chapterAt, formatTime, readChapters, nameTime, wrongChapter } from './media.rules.ts'

test('reads chapters in order of time, and ignores other lines', () => {
  expect(readChapters('1:05:30 On the roof\n0:00 First drops\n\nnothing\n12:07 - Steady\n3:75 wrong')).toEqual([
    { at: 0, title: 'First drops' },
    { at: 727, title: 'Steady' },
    { at: 3930, title: 'On the roof' },
  ])
  expect(wrongChapter('0:00 a\n\n1:00 b')).toBeNull()
  expect(wrongChapter('0:00 a\nb')).toBe('b')
})

test('finds the chapter at a time', () => {
  const chapters = readChapters('0:10 a\n1:00 b')
  expect([0, 10, 59, 60, 9999].map((seconds) => chapterAt(chapters, seconds))).toEqual([-1, 0, 0, 1, 1])
})

test.each([
  [0, '0:00', '0 seconds'],
  [192.9, '3:12', '3 minutes 12 seconds'],
  [3930, '1:05:30', '1 hour 5 minutes 30 seconds'],
  [NaN, '0:00', '0 seconds'],
  [Infinity, '0:00', '0 seconds'],
])('formats %d seconds', (seconds, short, said) =>
  expect([formatTime(seconds), nameTime(seconds)]).toEqual([short, said]),
)

test('parses each time that it formats', () => {
  fc.assert(
    fc.property(fc.nat(400_000), (at) => {
      expect(readChapters(`${formatTime(at)} x`)).toEqual([{ at, title: 'x' }])
    }),
  )
})
