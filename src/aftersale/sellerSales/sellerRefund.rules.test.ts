import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectOfCopies, fundsOf } from './sellerRefund.rules.ts'

const LINE = {
  ...{ orderId: 'order', orderLineId: 'a', sellerId: 'me', grossCents: 2000, feeCents: 200, returnedCents: 0 },
  ...{ returnedFeeCents: 0, namedCents: 0, orderCents: 0, counts: true },
}
const OWED = { owedCents: 5000, heldCents: 1500 }

test('subtracts held sales and refunds under way without their fee', () => {
  expect(fundsOf(OWED, [])).toBe(3500)
  expect(fundsOf(OWED, [{ ...LINE, namedCents: 2000, orderCents: 2000 }])).toBe(1700)
  expect(fundsOf(OWED, [{ ...LINE, namedCents: 999, orderCents: 999 }])).toBe(2600)
  // at most what is left of the sale
  const returned = { ...LINE, returnedCents: 1500, returnedFeeCents: 150 }
  expect(fundsOf(OWED, [{ ...returned, namedCents: 2000, orderCents: 2000 }])).toBe(3050)
})

test('ignores refunds of sales that are held already and of other sellers', () => {
  expect(fundsOf(OWED, [{ ...LINE, counts: false, namedCents: 2000, orderCents: 2000 }])).toBe(3500)
})

test('splits a refund without lines over the sales of its order, as the booking does', () => {
  const lines = [
    { ...LINE, orderCents: 2000 },
    { ...LINE, orderLineId: 'b', orderCents: 2000 },
  ]
  expect(fundsOf(OWED, lines)).toBe(1700)
  expect(fundsOf(OWED, [lines[0], { ...lines[1], sellerId: 'other', counts: false }] as typeof lines)).toBe(2600)
})

test('takes as much for copies that are refunded one by one as for all at once', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 9 }),
      (grossCents, percent, quantity) => {
        const feeCents = Math.floor((grossCents * percent) / 100)
        const sale = { grossCents, feeCents, quantity, returnedCents: 0, returnedFeeCents: 0, returnedQuantity: 0 }
        const whole = effectOfCopies(sale, quantity)
        const sum = { backCents: 0, takenCents: 0 }
        for (let copy = 0; copy < quantity; copy++) {
          const next = effectOfCopies(sale, 1)
          expect(next.takenCents).toBeLessThanOrEqual(next.backCents)
          sum.backCents += next.backCents
          sum.takenCents += next.takenCents
          sale.returnedCents += next.backCents
          sale.returnedFeeCents += next.backCents - next.takenCents
          sale.returnedQuantity += 1
        }
        expect(sum).toEqual(whole)
        expect(whole).toEqual({ backCents: grossCents, takenCents: grossCents - feeCents })
      },
    ),
  )
})
