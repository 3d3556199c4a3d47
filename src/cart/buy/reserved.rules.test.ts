import { expect, test } from 'vitest'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { heightOfContents, heightOfSamples } from './reserved.rules.ts'

const detail: ProductDetail = {
  ...{ id: '7', title: 'Bread by Weight', description: null, price: '5.00', categoryId: 'ebooks', imageUrl: null },
  ...{ isActive: true, sellerId: '8', sellerHandle: null, sellerName: 'Ruth T.', rated: null },
  ...{ createdAt: '2026-03-05T12:00:00.000Z', file: null, moreFiles: [], totalBytes: 0, isMine: false },
  ...{ isFileMissing: false, isOutOfStock: false, isTakenDown: false, unlistedReason: null },
  rating: { product: [0, 0, 0, 0, 0], store: [0, 0, 0, 0, 0], samples: 0, productSamples: 0 },
}
const sample = { id: '9', url: '/samples/9', contentType: '', sizeBytes: 9, alt: 'A', shown: null, whole: null }
const lessons = { count: 9, free: 'How you sit', later: [] }
const later = { title: 'Thumbs', opensOn: null, opensAfterDays: 7 }

test('reserves a row for each sample and for a free lesson', () => {
  expect(heightOfSamples({ hasSample: true }, undefined)).toBe(4)
  expect(heightOfSamples({}, undefined)).toBe(0)
  expect(heightOfSamples({ hasSample: true }, detail)).toBe(0)
  expect(heightOfSamples({}, { ...detail, samples: [{ ...sample, kind: 'pdf' }], lessons })).toBe(8)
})

test('reserves room for the parts of a bundle and the dates of a course', () => {
  const part = { id: '7', title: 'A', price: '1.00', categoryId: 'ebooks', imageUrl: null, kind: 'file' as const }
  expect(heightOfContents(undefined)).toBe(0)
  expect(heightOfContents(detail)).toBe(0)
  expect(heightOfContents({ ...detail, parts: [part, part] })).toBe(12.5)
  expect(heightOfContents({ ...detail, lessons })).toBe(1.2)
  const long = { ...lessons, later: [later, later, later, later] }
  expect(heightOfContents({ ...detail, lessons: long })).toBeCloseTo(8.4)
})
