import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOf } from '../payments/fee.rules.ts'
import { paidCents } from '../payments/line.rules.ts'
import { MAX_TOTAL_CENTS, mergeLines, priceOrder } from './place.rules.ts'

const fixed = { sellerId: 'ada', suggestedCents: null, leastCents: 0, isOnSale: true, variantOf: null }
const book = { ...fixed, id: 'book', title: 'Book', priceCents: 1999 }
const song = { ...fixed, id: 'song', title: 'Song', priceCents: 99 }
const gone = { ...fixed, id: 'gone', title: 'Gone', priceCents: 500, isOnSale: false }
const walks = { ...fixed, id: 'walks', title: 'Walks', priceCents: 300, suggestedCents: 500, leastCents: 300 }
const two = [
  { productId: 'book', quantity: 2 },
  { productId: 'song', quantity: 1 },
]
const seenLines = [
  { productId: 'song', quantity: 1, priceCents: 99 },
  { productId: 'book', quantity: 2, priceCents: 1999 },
]

test.each([
  ['nothing claimed', {}, 'priced'],
  ['the right total', { totalCents: 4097 }, 'priced'],
  ['everything right, in another order', { totalCents: 4097, lines: seenLines }, 'priced'],
  ['a total of one cent', { totalCents: 1 }, 'price_changed'],
  ['a lower price', { lines: seenLines.map((line) => ({ ...line, priceCents: 1 })) }, 'price_changed'],
  ['another quantity', { lines: seenLines.map((line) => ({ ...line, quantity: 5 })) }, 'cart_changed'],
  ['a line less', { lines: seenLines.slice(1) }, 'cart_changed'],
  ['a line more', { lines: [...seenLines, { productId: 'gone', quantity: 1, priceCents: 500 }] }, 'cart_changed'],
] as const)('compares prices with a browser that saw %s: %s', (_, seen, kind) => {
  expect(priceOrder(two, [book, song], seen as Parameters<typeof priceOrder>[2]).kind).toBe(kind)
})

test('rejects an unlisted or unknown product', () => {
  const wanted = [
    { productId: 'gone', quantity: 1 },
    { productId: 'never', quantity: 1 },
    { productId: 'book', quantity: 1 },
  ]
  expect(priceOrder(wanted, [gone, book], {})).toEqual({ kind: 'unavailable', productIds: ['gone', 'never'] })
})

test('sums the lines independently of the browser’s claims', () => {
  const line = fc.record({ productId: fc.constantFrom('book', 'song'), quantity: fc.integer({ min: 1, max: 9999 }) })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (wanted) => {
      const merged = mergeLines(wanted)
      const priced = priceOrder(merged, [book, song], {})
      const sum = wanted.reduce(
        (all, { productId, quantity }) => all + quantity * (productId === 'book' ? 1999 : 99),
        0,
      )
      return sum > MAX_TOTAL_CENTS ? priced.kind === 'too_large' : priced.kind === 'priced' && priced.totalCents === sum
    }),
  )
})

test.each([
  ['20 % of all', [{ sellerId: 'ada', productIds: null }], [799, 20], 3278],
  ['20 % of one product', [{ sellerId: 'ada', productIds: ['song'] }], [0, 20], 4077],
  ['20 % of another seller', [{ sellerId: 'bob', productIds: null }], [0, 0], 4097],
])('subtracts %s from the eligible lines', (_, offers, cuts, totalCents) => {
  const discounts = offers.map((offer) => ({ id: 'code', percent: 20, amountCents: null, ...offer }))
  const priced = priceOrder(two, [book, song], { totalCents }, discounts)
  expect(priced).toMatchObject({ kind: 'priced', totalCents })
  expect(priced.kind === 'priced' && priced.lines.map(({ discountCents }) => discountCents)).toEqual(cuts)
  // the full price is a different total
  const full = priceOrder(two, [book, song], { totalCents: 4097 }, discounts)
  expect(full.kind).toBe(totalCents === 4097 ? 'priced' : 'price_changed')
})

const choose = (priceCents: number | undefined, seen: Parameters<typeof priceOrder>[2] = {}) =>
  priceOrder([{ productId: 'walks', quantity: 2, priceCents }], [walks], seen)

test.each([
  ['no price', undefined, 500],
  ['the minimum', 300, 300],
  ['more than the suggestion', 1234, 1234],
  ['the most', 9_999_999, 9_999_999],
])('charges the chosen price for each copy: %s', (_, chosen, priceCents) => {
  const totalCents = 2 * priceCents
  const lines = [{ productId: 'walks', quantity: 2, priceCents }]
  expect(choose(chosen, { totalCents, lines })).toMatchObject({ kind: 'priced', totalCents, lines: [{ priceCents }] })
})

test.each([299, 0, 10_000_000])('rejects a chosen price of %i cents', (priceCents) => {
  expect(choose(priceCents)).toEqual({ kind: 'under_minimum', leastCents: 300, title: 'Walks' })
})

test('ignores a chosen price if the price is fixed', () => {
  expect(priceOrder([{ productId: 'song', quantity: 1, priceCents: 1 }], [song], {})).toMatchObject({ totalCents: 99 })
})

test('limits codes to the minimum of a chosen price and gives free lines no share of discount or fee', () => {
  const free = { ...fixed, id: 'free', title: 'Free', priceCents: 0 }
  const products = [walks, free, song, book]
  const discounts = [{ id: 'code', percent: 90, amountCents: null, sellerId: 'ada', productIds: null }]
  const wanted = fc.record({
    walks: fc.record({ quantity: fc.integer({ min: 1, max: 50 }), priceCents: fc.integer({ min: 300, max: 9_999 }) }),
    song: fc.record({ quantity: fc.integer({ min: 1, max: 50 }) }),
    free: fc.record({ quantity: fc.constant(1) }),
  })
  const terms = fc.record({
    basisPoints: fc.integer({ min: 0, max: 9_999 }),
    fixedCents: fc.integer({ min: 0, max: 99 }),
  })
  fc.assert(
    fc.property(wanted, terms, (given, fee) => {
      const asked = Object.entries(given).map(([productId, line]) => ({ productId, ...line }))
      const priced = priceOrder(asked, products, {}, discounts)
      if (priced.kind !== 'priced') throw new Error(priced.kind)
      const paid = priced.lines.map(paidCents)
      expect(paid.reduce((all, cents) => all + cents, 0)).toBe(priced.totalCents)
      expect(paid[0]).toBeGreaterThanOrEqual(300 * given.walks.quantity)
      expect(paid[2]).toBe(0)
      for (const cents of paid) {
        expect(feeOf(cents, fee)).toBeGreaterThanOrEqual(0)
        expect(cents - feeOf(cents, fee)).toBeGreaterThanOrEqual(0)
      }
      expect(feeOf(paid[2]!, fee)).toBe(0)
    }),
  )
})
