import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimal } from '../kit/money.ts'
import type { OrderLine } from './orders.contract.ts'
import { receiptRows } from './receipt.rules.ts'
import { expectToAddUp, shownRest } from '../../test/receiptSums.ts'

const lineOf = (cents: number, quantity: number) =>
  ({ title: 'Glass Rain', price: toDecimal(cents), quantity, bundle: null }) as OrderLine
const at = '2026-11-26T12:00:00Z'

const Bought = fc
  .record({
    lines: fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
    shares: fc.record({
      off: fc.double({ min: 0, max: 1, noNaN: true }),
      credit: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    returned: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), { maxLength: 5 }),
    earned: fc.nat(1500),
    status: fc.constantFrom('pending' as const, 'completed' as const, 'refunded' as const),
  })
  .map(({ lines, shares, returned, earned, status }) => {
    const grossCents = lines.reduce((sum, [cents, quantity]) => sum + cents * quantity, 0)
    const offCents = Math.floor(grossCents * shares.off)
    const totalCents = grossCents - offCents
    const creditCents = Math.floor(totalCents * shares.credit)
    const left = { money: totalCents - creditCents, credit: creditCents }
    const refunds = returned.map(([share, isCredit]) => {
      const of = isCredit ? 'credit' : 'money'
      const cents = Math.floor(left[of] * share)
      left[of] -= cents
      return { amount: toDecimal(cents), at, isCredit }
    })
    const order = {
      ...{ status, refunds: status === 'pending' ? [] : refunds, earned: toDecimal(earned) },
      lines: lines.map(([cents, quantity]) => lineOf(cents, quantity)),
      discounts: offCents > 0 ? [{ code: 'SAVE', amount: toDecimal(offCents) }] : [],
      ...{ total: toDecimal(totalCents), credit: toDecimal(creditCents) },
    }
    return { order, restCents: status === 'pending' ? totalCents - creditCents : left.money }
  })

test('the rows of a receipt add up to its totals, with discounts, store credit and refunds', () => {
  fc.assert(
    fc.property(Bought, ({ order, restCents }) => {
      const rows = receiptRows(order)
      expectToAddUp(rows)
      expect(shownRest(rows)).toBe(restCents)
    }),
  )
})

test('shows the returned store credit after the remaining money', () => {
  const rows = receiptRows({
    ...{
      status: 'completed',
      lines: [lineOf(12_300, 1)],
      discounts: [],
      total: '123.00',
      credit: '0.67',
      earned: '0.00',
    },
    refunds: [
      { amount: '5.91', at },
      { amount: '0.50', at, isCredit: true },
    ],
  })
  expect(rows.map(({ name, text }) => `${name} ${text}`)).toEqual([
    'Glass Rain $123.00',
    'Tax $0.00',
    'Total $123.00',
    'Store credit −$0.67',
    'Paid $122.33',
    'Refunded −$5.91',
    'Remaining $116.42',
    'Store credit returned +$0.50',
  ])
})
