import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectOfCopies, fundsOf, takenCents } from './sellerRefund.rules.ts'

const SALE = { grossCents: 2000, feeCents: 200, returnedCents: 0, returnedFeeCents: 0 }

test('a refund takes the price less the fee that comes back', () => {
  expect(takenCents({ ...SALE, wantedCents: 2000 })).toBe(1800)
  expect(takenCents({ ...SALE, wantedCents: 999 })).toBe(900)
  // no more than is left of the sale
  expect(takenCents({ ...SALE, returnedCents: 1500, returnedFeeCents: 150, wantedCents: 2000 })).toBe(450)
})

test('disputed sales and refunds under way are no funds', () => {
  const owed = { owedCents: 5000, disputedCents: 1500 }
  expect(fundsOf(owed, [])).toBe(3500)
  expect(fundsOf(owed, [{ ...SALE, wantedCents: 2000 }])).toBe(1700)
})

test('copies that are refunded one by one take as much as all at once', () => {
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
