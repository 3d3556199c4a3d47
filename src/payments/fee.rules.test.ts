import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOf, returnedFeeOf, toBasisPoints, toPercent } from './fee.rules.ts'

test.each([
  ['a percentage', 1000, 500, 0, 50],
  ['a fraction of a cent, rounded down', 1999, 525, 0, 104],
  ['a fixed part', 1000, 500, 30, 80],
  ['more than the price', 20, 500, 30, 20],
  ['nothing of a line that was free', 0, 500, 30, 0],
  ['nothing without terms', 1000, 0, 0, 0],
  ['all of it', 1000, 10_000, 0, 1000],
  ['a price beyond floats', 99_999_999_999_999, 1, 0, 9_999_999_999],
])('calculates the fee: %s', (_, grossCents, basisPoints, fixedCents, fee) => {
  expect(feeOf(grossCents, { basisPoints, fixedCents })).toBe(fee)
})

const gross = fc.integer({ min: 0, max: 100_000_000 })
const terms = fc.record({
  basisPoints: fc.integer({ min: 0, max: 10_000 }),
  fixedCents: fc.integer({ min: 0, max: 5000 }),
})

test('never calculates a fee below zero or above the price, and raises it with the price', () => {
  fc.assert(
    fc.property(gross, terms, fc.nat(1000), (cents, asked, more) => {
      const fee = feeOf(cents, asked)
      return Number.isInteger(fee) && fee >= 0 && fee <= cents && feeOf(cents + more, asked) >= fee
    }),
  )
})

test('returns the whole fee with the whole line and never too much of it before', () => {
  fc.assert(
    fc.property(
      gross,
      terms,
      fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 8 }),
      (cents, asked, parts) => {
        const fee = feeOf(cents, asked)
        let [returned, returnedFee] = [0, 0]
        for (const part of [...parts, cents]) {
          returned = Math.min(cents, returned + part)
          const next = returnedFeeOf(fee, returned, cents)
          // the seller never returns more than the sale earned
          if (next < returnedFee || returned - next > cents - fee) return false
          returnedFee = next
        }
        return returned === cents && returnedFee === fee
      },
    ),
  )
})

test('converts percentages with two decimals', () => {
  expect(['5', '5.2', '5.25', '0', '100', '0.05'].map(toBasisPoints)).toEqual([500, 520, 525, 0, 10_000, 5])
  expect([500, 520, 525, 0, 5].map(toPercent)).toEqual(['5', '5.2', '5.25', '0', '0.05'])
})
