import { expect, test } from 'vitest'
import { setZone } from '../../localisation/dates.rules.ts'
import type { OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { mergeEdits } from '../../ui/form/savedForm.rules.ts'
import {
  cutOf,
  dayOf,
  describeTerms,
  describeTyped,
  describeUse,
  lastDayOf,
  momentOf,
  problemsOf,
  type Typed,
  typedOf,
  wordsOf,
} from './ownDiscount.rules.ts'

const book = { id: 'a', title: 'Night Trains' }
const code = { percent: 20, amount: null, products: null, isFirstOnly: false }

test.each([
  [{}, '20% off, all products'],
  [{ isFirstOnly: true }, '20% off, all products, first purchase only'],
  [{ percent: null, amount: '2.00', products: [book] }, '$2.00 off, Night Trains'],
  [{ products: [book, { ...book, id: 'b' }] }, '20% off, 2 products'],
  [{ products: [] }, '20% off, 0 products'],
])('describes the terms of %j', (change, words) => {
  expect(describeTerms({ ...code, ...change })).toBe(words)
})

const free = { uses: 6, mostUses: null, mostPerBuyer: null, startsAt: null, endsAt: null }
test.each([
  [{}, 'Used 6, no limit. No end.'],
  [{ mostUses: 1000, mostPerBuyer: 1 }, 'Used 6 of 1,000, once a buyer. No end.'],
  [{ mostPerBuyer: 3, startsAt: '2026-12-01T00:00:00.000Z' }, 'Used 6, no limit, 3 times a buyer. From Dec 1, 2026.'],
  [{ endsAt: '2026-12-01T00:00:00.000Z' }, 'Used 6, no limit. Until Nov 30, 2026.'],
  [
    { startsAt: '2026-11-16T00:00:00.000Z', endsAt: '2026-12-01T00:00:00.000Z' },
    'Used 6, no limit. Nov 16, 2026 to Nov 30, 2026.',
  ],
])('describes the uses and days of %j', (change, words) => {
  setZone('UTC')
  expect(describeUse({ ...free, ...change })).toBe(words)
})

test('a form date survives the round trip to the server', () => {
  expect(dayOf(momentOf('2026-03-08'))).toBe('2026-03-08')
  expect(lastDayOf(momentOf('2026-12-31', 1))).toBe('2026-12-31')
  expect([dayOf(null), lastDayOf(null), momentOf('')]).toEqual(['', '', null])
})

const words = {
  ...{ code: 'QUIETWEEK', percent: 20, amount: null, productIds: null, isFirstOnly: false },
  ...{ startsAt: null, endsAt: '2026-12-01T13:37:00.000Z', mostUses: null, mostPerBuyer: null },
}
const saved = { ...words, products: null, id: 'c', version: 1 } as unknown as OwnDiscount

test('saves an unedited form with the exact stored times', () => {
  expect(wordsOf(typedOf(saved), saved)).toEqual(words)
  expect(wordsOf({ ...typedOf(saved), lastDay: '2026-12-05' }, saved).endsAt).toBe(momentOf('2026-12-05', 1))
})

test('merges an edit from another tab with typed values and reports fields that both changed', () => {
  const products = [book, { ...book, id: 'b' }]
  const theirs = { ...saved, percent: null, amount: '3.00', mostUses: 9, products, endsAt: null } as OwnDiscount
  const [base, after] = [typedOf(saved), typedOf(theirs)]
  const typed = { ...base, off: { ...base.off, percent: '30' }, mostPerBuyer: '2', productIds: ['a', 'b'] }
  const { values, both } = mergeEdits(base, typed, after)
  expect(both).toEqual(['off'])
  expect(both.map((name) => [describeTyped(name, after), describeTyped(name, values)])).toEqual([['$3.00', '30%']])
  expect(wordsOf(values, theirs)).toMatchObject({
    percent: 30,
    amount: null,
    mostUses: 9,
    mostPerBuyer: 2,
    endsAt: null,
  })
  expect(values.productIds).toEqual(['a', 'b'])
})

test.each([
  [{ kind: 'percent', percent: '20', amount: '' }, 550],
  [{ kind: 'amount', percent: '', amount: '2,50' }, 250],
  [{ kind: 'percent', percent: '', amount: '2.50' }, null],
  [{ kind: 'amount', percent: '20', amount: 'x' }, null],
] as const)('calculates the discount of %j on an order of $27.50', (off, cents) => {
  const lines = [850, 1900].map((one) => ({ cents: one, leastCents: 0 }))
  expect(cutOf(lines, { ...typedOf(null), off })).toBe(cents)
})

const off = { kind: 'percent', percent: '20', amount: '2.00' } as const
test.each<[Partial<Typed>, string[]]>([
  [{ code: 'TEA4' }, []],
  [{ code: 'no' }, ['code']],
  [{ off: { ...off, percent: '101', amount: 'x' } }, ['off.percent']],
  [{ off: { ...off, kind: 'amount', percent: '101', amount: 'x' } }, ['off.amount']],
  [{ productIds: [], mostUses: '0', mostPerBuyer: '1001' }, ['productIds', 'mostUses', 'mostPerBuyer']],
  [{ firstDay: '2026-12-02', lastDay: '2026-12-01' }, ['lastDay']],
  [{ mostUses: '', mostPerBuyer: '', firstDay: '2026-12-01', lastDay: '2026-12-01' }, []],
])('finds the problems of %j', (change, names) => {
  expect(Object.keys(problemsOf({ ...typedOf(null), code: 'QUIETWEEK', ...change }))).toEqual(names)
})
