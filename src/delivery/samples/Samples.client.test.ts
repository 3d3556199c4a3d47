import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { LessonDates } from './LessonDates.tsx'
import { Samples } from './Samples.tsx'

const detail: ProductDetail = {
  ...{ id: '7', title: 'Bread by Weight', description: null, price: '5.00', categoryId: 'ebooks', imageUrl: null },
  ...{ isActive: true, sellerId: '8', sellerHandle: null, sellerName: 'Ruth T.', rated: null },
  ...{ createdAt: '2026-03-05T12:00:00.000Z', file: null, moreFiles: [], totalBytes: 0, isMine: false },
  ...{ isFileMissing: false, isOutOfStock: false, isTakenDown: false, unlistedReason: null },
  rating: { product: [0, 0, 0, 0, 0], store: [0, 0, 0, 0, 0], samples: 0, productSamples: 0 },
}
const sample = {
  id: '9',
  url: '/samples/9',
  contentType: '',
  sizeBytes: 9,
  alt: 'The first part',
  shown: null,
  whole: null,
}
const show = (more: Partial<ProductDetail>) =>
  renderToStaticMarkup(createElement(Samples, { detail: { ...detail, ...more } }))

test('labels each sample by its kind', () => {
  const html = show({
    samples: [
      { ...sample, kind: 'pdf', shown: 12, whole: 248 },
      { ...sample, kind: 'epub' },
      { ...sample, kind: 'audio', shown: 60, whole: 11_400 },
      { ...sample, kind: 'video' },
    ],
    lessons: { count: 3, free: 'How you sit', later: [] },
  })
  const actions = [...html.matchAll(/<strong>(.*?)<\/strong><small>(.*?)<\/small>/g)].map(([, ...texts]) => texts)
  expect(actions).toEqual([
    ['Look inside', 'The first 12 of 248 pages'],
    ['Read a sample', 'The first part'],
    ['Play the first minute', 'Of 190 min'],
    ['Watch a sample', 'The first part'],
    ['Read a free lesson', 'How you sit'],
  ])
})

test('samples have a heading, and those that open a dialog announce it', () => {
  const html = show({
    samples: [
      { ...sample, kind: 'pdf' },
      { ...sample, kind: 'audio' },
    ],
  })
  expect(html).toMatch(/<h2 id="samples"[^>]*>Samples<\/h2>/)
  expect(html.match(/aria-haspopup="dialog"/g)).toHaveLength(1)
})

test('shows nothing without a sample', () => {
  expect(show({})).toBe('')
  expect(show({ samples: [], lessons: { count: 3, free: null, later: [] } })).toBe('')
})

const dates = (lessons: NonNullable<ProductDetail['lessons']>) =>
  renderToStaticMarkup(createElement(LessonDates, { lessons })).replaceAll(/<[^>]*>/g, '|')

test('shows before the purchase when lessons open', () => {
  expect(dates({ count: 0, free: null, later: [] })).toBe('')
  expect(dates({ count: 1, free: null, later: [] })).toContain('Its lesson opens at once.')
  expect(dates({ count: 3, free: null, later: [] })).toContain('All 3 lessons open at once.')
  const past = { title: 'Over', opensOn: '2020-11-01', opensAfterDays: null }
  const day = { title: 'Thumbs', opensOn: '2099-12-04', opensAfterDays: null }
  const later = Array.from({ length: 4 }, (_, i) => ({ title: `Week ${i}`, opensOn: null, opensAfterDays: 7 * i + 7 }))
  const some = dates({ count: 6, free: null, later: [past, day, ...later] })
  for (const text of ['1 lesson at once, then:', 'Thumbs', 'Opens Dec 4, 2099', 'Opens 7 days after you buy'])
    expect(some).toContain(text)
  expect(some).toContain('2 more lessons later')
  expect(some).not.toContain('Over')
  expect(dates({ count: 1, free: null, later: [day] })).toContain('The lessons open later:')
})
