import fc from 'fast-check'
import { expect, test } from 'vitest'
import { USD } from '../../localisation/currency.rules.ts'
import type { Product } from '../catalogue.contract.ts'
import { KINDS } from '../kinds.rules.ts'
import { describeRange, emptyText, foundText, pick, sortNames } from './pick.rules.ts'
import { ALL, type Filters, PRICES, readFilters, shelfPath, STARS } from './shelf.rules.ts'

const product = (title: string, price: string, categoryId: string, stars = 0, description = ''): Product => ({
  ...{ id: title, title, price, categoryId, description, imageUrl: null, isActive: true, sellerName: 'Ada L.' },
  rated: stars > 0 ? { stars, reviews: 3, samples: 0 } : null,
})
const shop = [
  product('Night Trains', '8.50', 'audio', 4.1, 'Field recordings from four sleepers.'),
  product('Bread by Weight', '14.50', 'ebooks', 4.6, 'Sixty loaves in grams.'),
  product('Café Card', '100.00', 'gift-cards'),
]
const titles = (filters: Partial<Filters>) => pick(shop, { ...ALL, ...filters }).map(({ title }) => title)

test('searches titles and descriptions without regard to case', () => {
  expect(titles({ q: 'NIGHT' })).toEqual(['Night Trains'])
  expect(titles({ q: ' loa ' })).toEqual(['Bread by Weight'])
  expect(titles({ q: 'café' })).toEqual(['Café Card'])
  expect(titles({ q: 'ada weight' })).toEqual(['Bread by Weight'])
  expect(titles({ q: 'oaves' })).toEqual([])
})

test('shows "+" when the count of products reached its limit', () => {
  expect(foundText(3, { q: 'night' })).toBe('3 product(s) found')
  expect(foundText(1000, { q: 'night' })).toBe('1,000+ product(s) found')
  expect(foundText(1000, { q: '', stars: 4 })).toBe('1,000+ product(s) found')
  expect(foundText(20_000, { q: '' })).toBe('20000 product(s) found')
})

test('filters by price range and by rating', () => {
  expect(titles({ price: '5-10' })).toEqual(['Night Trains'])
  expect(titles({ price: '25-100' })).toEqual([])
  expect(titles({ price: '100-' })).toEqual(['Café Card'])
  expect(titles({ stars: 4 })).toEqual(['Night Trains', 'Bread by Weight'])
  expect(titles({ price: '10-25', stars: 4 })).toEqual(['Bread by Weight'])
  expect(pick([{ ...shop[0]!, price: '0.00' }, shop[1]!], { ...ALL, price: 'free' })).toHaveLength(1)
  expect(titles({ q: 'under $10' })).toEqual(['Night Trains'])
  expect(titles({ q: 'bread over 10', price: '10-25' })).toEqual(['Bread by Weight'])
  expect(titles({ q: 'bread over 10', price: '5-10' })).toEqual([])
  expect(emptyText({ ...ALL, q: 'bread over 20' })).toBe('No match for “bread” at this price.')
  expect(emptyText({ ...ALL, q: 'over $2000' })).toBe('Nothing has this price.')
  expect(PRICES.map((range) => describeRange(range, USD))).toEqual([
    'Free',
    'Up to $4.99',
    '$5.00 to $9.99',
    '$10.00 to $24.99',
    '$25.00 to $99.99',
    '$100.00 and more',
  ])
})

test('filters by kind and stores all filters in the URL', () => {
  const code = { ...shop[2]!, kind: 'code' as const }
  expect(pick([shop[0]!, code], { ...ALL, kind: 'code' })).toEqual([code])
  const path = shelfPath({ kind: 'bundle', isAnyStock: true })
  expect(path).toBe('/categories?kind=bundle&stock=any')
  expect(readFilters(new URLSearchParams(path.split('?')[1]))).toEqual({ ...ALL, kind: 'bundle', isAnyStock: true })
  expect(readFilters(new URLSearchParams('kind=car&stock=none'))).toEqual(ALL)
})

test('combines category and search', () => {
  expect(titles({ categoryId: 'audio' })).toEqual(['Night Trains'])
  expect(titles({ categoryId: 'audio', q: 'bread' })).toEqual([])
})

test('sorts prices as amounts without changing the loaded list', () => {
  expect(titles({ sort: 'price-asc' })).toEqual(['Night Trains', 'Bread by Weight', 'Café Card'])
  expect(titles({ sort: 'price-desc' })).toEqual(['Café Card', 'Bread by Weight', 'Night Trains'])
  expect(titles({ sort: 'title' })).toEqual(['Bread by Weight', 'Café Card', 'Night Trains'])
  expect(titles({ sort: 'rating' })).toEqual(['Bread by Weight', 'Night Trains', 'Café Card'])
  expect(titles({})).toEqual(shop.map(({ title }) => title))
})

test('reads the same filters from the URL that it wrote', () => {
  fc.assert(
    fc.property(
      fc.record({
        q: fc.string({ maxLength: 200 }),
        categoryId: fc.constantFrom(null, 'audio', 'gift-cards'),
        sort: fc.constantFrom(...(Object.keys(sortNames) as Filters['sort'][])),
        price: fc.constantFrom(null, ...PRICES),
        stars: fc.constantFrom(null, ...STARS),
        kind: fc.constantFrom(null, ...KINDS),
        isAnyStock: fc.boolean(),
      }),
      (filters) => {
        const address = new URL(shelfPath(filters), 'https://shop.test')
        expect(readFilters(address.searchParams)).toEqual({ ...filters, q: filters.q.toWellFormed() })
      },
    ),
  )
})

test('uses the default for an unknown sort or filter in the URL', () => {
  expect(readFilters(new URLSearchParams('sort=random&price=1-2&stars=9'))).toEqual(ALL)
})

test('shows the search text when no product matches, and shortens a long one', () => {
  expect(emptyText({ ...ALL, q: 'x'.repeat(200) })).toContain(`“${'x'.repeat(40)}…”`)
  expect(emptyText({ ...ALL, stars: 4 })).toBe('Nothing has this rating.')
  expect(emptyText({ ...ALL, price: '0-5', stars: 4 })).toBe('Nothing has this price and rating.')
  expect(emptyText({ ...ALL, q: 'bread', price: '0-5' })).toBe('No match for “bread” at this price.')
  expect(emptyText({ ...ALL, q: 'sourdogh' })).toContain('“sourdogh”')
  expect(emptyText({ ...ALL, categoryId: 'audio' }, 'Audio')).toBe('Nothing in Audio yet.')
  expect(emptyText(ALL)).toBe('Nothing in the store yet.')
})
