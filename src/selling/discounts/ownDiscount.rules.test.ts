import { expect, test } from 'vitest'
import { setZone } from '../../localisation/dates.rules.ts'
import { dayOf, describeTerms, describeUse, lastDayOf, momentOf } from './ownDiscount.rules.ts'

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

test('a day of the form is the same day after the server', () => {
  expect(dayOf(momentOf('2026-03-08'))).toBe('2026-03-08')
  expect(lastDayOf(momentOf('2026-12-31', 1))).toBe('2026-12-31')
  expect([dayOf(null), lastDayOf(null), momentOf('')]).toEqual(['', '', null])
})
