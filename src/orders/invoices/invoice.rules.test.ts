import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditedCents, labelOf } from './invoice.rules.ts'

test('numbers have the prefix, the year and six digits, and grow beyond them', () => {
  expect([labelOf('INV', 2026, 123), labelOf('CN', 2027, 1), labelOf('INV', 2026, 1_234_567)]).toEqual([
    ...['INV-2026-000123', 'CN-2027-000001', 'INV-2026-1234567'],
  ])
})

test.each([
  ['a part of an order', { status: 'completed', creditCents: 0, totalCents: 1000 }, [300], [300]],
  ['all of an order paid with money', { status: 'refunded', creditCents: 0, totalCents: 1000 }, [300, 700], [300, 700]],
  [
    'all of an order paid with money and credit',
    { status: 'refunded', creditCents: 400, totalCents: 1000 },
    [100, 500],
    [100, 900],
  ],
  ['all of an order paid with credit', { status: 'refunded', creditCents: 1000, totalCents: 1000 }, [1000], [1000]],
])('credits %s', (_, order, amounts, credited) => {
  const refunds = amounts.map((amountCents, i) => ({ id: String(i), amountCents }))
  expect(refunds.map((refund) => creditedCents(refund, order, refunds))).toEqual(credited)
})

test('credit notes of an order that is refunded whole come to its total', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 6 }),
      fc.nat(100_000),
      (amounts, creditCents) => {
        const refunds = amounts.map((amountCents, i) => ({ id: String(i), amountCents }))
        const totalCents = amounts.reduce((sum, cents) => sum + cents, creditCents)
        const order = { status: 'refunded', creditCents, totalCents }
        const credited = refunds.map((refund) => creditedCents(refund, order, refunds))
        expect(credited.reduce((sum, cents) => sum + cents, 0)).toBe(totalCents)
      },
    ),
  )
})
