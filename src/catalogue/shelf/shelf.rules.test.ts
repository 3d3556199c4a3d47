import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Product } from '../catalogue.contract.ts'
import { emptyText, pick, sortNames } from './pick.rules.ts'
import { type Filters, readFilters, shelfPath } from './shelf.rules.ts'

const product = (title: string, price: string, categoryId: string, description: string | null = null): Product => ({
  id: title,
  title,
  price,
  categoryId,
  description,
  imageUrl: null,
  isActive: true,
})
const shop = [
  product('Night Trains', '8.50', 'audio', 'Field recordings from four sleepers.'),
  product('Bread by Weight', '14.50', 'ebooks', 'Sixty loaves in grams.'),
  product('Café Card', '100.00', 'gift-cards'),
]
const all: Filters = { q: '', categoryId: null, sort: 'featured' }
const titles = (filters: Partial<Filters>) => pick(shop, { ...all, ...filters }).map(({ title }) => title)

test('the search matches titles and descriptions, ignoring case', () => {
  expect(titles({ q: 'NIGHT' })).toEqual(['Night Trains'])
  expect(titles({ q: ' loaves ' })).toEqual(['Bread by Weight'])
  expect(titles({ q: 'café' })).toEqual(['Café Card'])
  expect(titles({ q: 'nothing of it' })).toEqual([])
})

test('category and search combine', () => {
  expect(titles({ categoryId: 'audio' })).toEqual(['Night Trains'])
  expect(titles({ categoryId: 'audio', q: 'bread' })).toEqual([])
})

test('sorts prices as amounts and leaves the loaded catalogue in its order', () => {
  expect(titles({ sort: 'price-asc' })).toEqual(['Night Trains', 'Bread by Weight', 'Café Card'])
  expect(titles({ sort: 'price-desc' })).toEqual(['Café Card', 'Bread by Weight', 'Night Trains'])
  expect(titles({ sort: 'title' })).toEqual(['Bread by Weight', 'Café Card', 'Night Trains'])
  expect(titles({})).toEqual(shop.map(({ title }) => title))
})

test('filters survive a round trip through the URL', () => {
  fc.assert(
    fc.property(
      fc.record({
        q: fc.string({ maxLength: 200 }),
        categoryId: fc.constantFrom(null, 'audio', 'gift-cards'),
        sort: fc.constantFrom(...(Object.keys(sortNames) as Filters['sort'][])),
      }),
      (filters) => {
        const address = new URL(shelfPath(filters), 'https://shop.test')
        expect(readFilters(address.searchParams)).toEqual({ ...filters, q: filters.q.toWellFormed() })
      },
    ),
  )
})

test('a URL with an unknown sort shows the default order', () => {
  expect(readFilters(new URLSearchParams('sort=random'))).toEqual(all)
})

test('an empty shelf names the search', () => {
  expect(emptyText({ ...all, q: 'sourdogh' })).toContain('“sourdogh”')
  expect(emptyText({ ...all, categoryId: 'audio' }, 'Audio')).toBe('Nothing in Audio yet.')
  expect(emptyText(all)).toBe('Nothing in the store yet.')
})
