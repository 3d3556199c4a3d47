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

test('the search looks in title and description, whatever the case', () => {
  expect(titles({ q: 'NIGHT' })).toEqual(['Night Trains'])
  expect(titles({ q: ' loaves ' })).toEqual(['Bread by Weight'])
  expect(titles({ q: 'café' })).toEqual(['Café Card'])
  expect(titles({ q: 'nothing of it' })).toEqual([])
})

test('a category and a search narrow together', () => {
  expect(titles({ categoryId: 'audio' })).toEqual(['Night Trains'])
  expect(titles({ categoryId: 'audio', q: 'bread' })).toEqual([])
})

test('prices sort as amounts, not as text, and the shop is not rearranged', () => {
  expect(titles({ sort: 'price-asc' })).toEqual(['Night Trains', 'Bread by Weight', 'Café Card'])
  expect(titles({ sort: 'price-desc' })).toEqual(['Café Card', 'Bread by Weight', 'Night Trains'])
  expect(titles({ sort: 'title' })).toEqual(['Bread by Weight', 'Café Card', 'Night Trains'])
  expect(titles({})).toEqual(shop.map(({ title }) => title))
})

test('filters survive the way through the address', () => {
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

test('an address with a sort that does not exist shows the shelf as it is', () => {
  expect(readFilters(new URLSearchParams('sort=random'))).toEqual(all)
})

test('an empty shelf says what was looked for', () => {
  expect(emptyText({ ...all, q: 'sourdogh' })).toContain('“sourdogh”')
  expect(emptyText({ ...all, categoryId: 'audio' }, 'Audio')).toBe('Nothing in Audio yet.')
  expect(emptyText(all)).toBe('Nothing in the store yet.')
})
