import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_TOTAL_CENTS, mergeLines, priceOrder } from './place.rules.ts'

const book = { id: 'book', sellerId: 'ada', title: 'Book', priceCents: 1999, isListed: true }
const song = { id: 'song', sellerId: 'ada', title: 'Song', priceCents: 99, isListed: true }
const gone = { id: 'gone', sellerId: 'ada', title: 'Gone', priceCents: 500, isListed: false }
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
] as const)('a browser that saw %s: %s', (_, seen, kind) => {
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

test('sums the lines whatever the browser claims', () => {
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
])('takes %s off its lines', (_, offers, cuts, totalCents) => {
  const discounts = offers.map((offer) => ({ id: 'code', percent: 20, amountCents: null, ...offer }))
  const priced = priceOrder(two, [book, song], { totalCents }, discounts)
  expect(priced).toMatchObject({ kind: 'priced', totalCents })
  expect(priced.kind === 'priced' && priced.lines.map(({ discountCents }) => discountCents)).toEqual(cuts)
  // the full price is another total
  const full = priceOrder(two, [book, song], { totalCents: 4097 }, discounts)
  expect(full.kind).toBe(totalCents === 4097 ? 'priced' : 'price_changed')
})
