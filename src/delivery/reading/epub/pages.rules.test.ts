import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageAtOffset, pageAtShare, readPages, shareOfPage } from './pages.rules.ts'

test.each([
  ['one page', { scrollWidth: 350, scrollLeft: 0 }, { count: 1, page: 0 }],
  ['the first of three', { scrollWidth: 1130, scrollLeft: 0 }, { count: 3, page: 0 }],
  ['the second of three', { scrollWidth: 1130, scrollLeft: 390 }, { count: 3, page: 1 }],
  ['the last of three, from right to left', { scrollWidth: 1130, scrollLeft: -780 }, { count: 3, page: 2 }],
  ['a position between two pages', { scrollWidth: 1130, scrollLeft: 500 }, { count: 3, page: 1 }],
  ['a width that the browser rounds', { scrollWidth: 1131, scrollLeft: 389.6 }, { count: 3, page: 1 }],
])('reads %s', (_, columns, pages) => {
  expect(readPages({ width: 350, gap: 40, ...columns })).toEqual({ pitch: 390, ...pages })
})

test('a text that is not laid out has one page', () => {
  expect(readPages({ width: 0, gap: 0, scrollWidth: 0, scrollLeft: 0 })).toEqual({ pitch: 0, count: 1, page: 0 })
})

test('finds each page again by its share of the chapter', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5000 }), fc.nat(), (count, number) => {
      const page = number % count
      expect(pageAtShare(Number(shareOfPage(page, count, 0).toFixed(4)), count)).toBe(page)
    }),
  )
  expect([shareOfPage(0, 1, 0.4), pageAtShare(1, 1)]).toEqual([0.4, 0])
})

test('finds the page of an element, and stays within the chapter', () => {
  const flow = { pitch: 390, count: 3, page: 0 }
  expect([-5, 0, 389, 390, 800, 5000].map((offset) => pageAtOffset(offset, flow))).toEqual([0, 0, 0, 1, 2, 2])
})
