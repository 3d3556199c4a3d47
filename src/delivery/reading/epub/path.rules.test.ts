import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlace, resolvePath, shareOf, writePlace } from './path.rules.ts'

test.each([
  ['OEBPS/text/one.xhtml', '../images/a%20b.png', 'OEBPS/images/a b.png'],
  ['OEBPS/text/one.xhtml', 'two.xhtml#part', 'OEBPS/text/two.xhtml'],
  ['OEBPS/text/one.xhtml', '#part', 'OEBPS/text/one.xhtml'],
  ['one.xhtml', '/OEBPS/./two.xhtml', 'OEBPS/two.xhtml'],
  ['one.xhtml', '../two.xhtml', null],
  ['one.xhtml', 'https://elsewhere.example/a.png', null],
  ['one.xhtml', '//elsewhere.example/a.png', null],
  ['one.xhtml', 'javascript:alert(1)', null],
  ['one.xhtml', 'data:image/png;base64,x', null],
  ['one.xhtml', 'bad%.png', 'bad%.png'],
])('resolves from %s the reference %s to %s', (from, reference, path) =>
  expect(resolvePath(from, reference)).toBe(path),
)

test('parses each place it formats, and starts at the beginning for an invalid place', () => {
  fc.assert(
    fc.property(fc.nat(99), fc.double({ min: 0, max: 1, noNaN: true }), (chapter, share) => {
      const read = readPlace(writePlace(chapter, share), 100)
      expect(read.chapter).toBe(chapter)
      expect(Math.abs(read.share - share)).toBeLessThan(0.0001)
    }),
  )
  for (const place of [null, '', '12', '100/0.5', '1/2', 'x/0.1'])
    expect(readPlace(place, 100)).toEqual({ chapter: 0, share: 0 })
})

test('weights chapters by their lengths', () => {
  expect(shareOf([10, 30, 60], 1, 0.5)).toBe(0.25)
  expect(shareOf([10, 30, 60], 2, 1)).toBe(1)
  expect(shareOf([], 0, 0)).toBe(0)
})
