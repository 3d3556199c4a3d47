import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOf } from '../fee.rules.ts'
import { centsOfCopies, type Earned, returnsOf, sharesOf } from './returns.rules.ts'

const earned = (grossCents: number, feeCents = 0, sellerId = 'a'): Earned => ({
  ...{ orderLineId: `${sellerId}${grossCents}`, sellerId, grossCents, feeCents, returnedCents: 0, returnedFeeCents: 0 },
})

test('returns the paid price and the fee of each line in a full refund', () => {
  expect(returnsOf(1501, [earned(1000, 80), earned(1, 1, 'b'), earned(500, 55), earned(0)])).toMatchObject([
    { sellerId: 'a', cents: 1000, feeCents: 80 },
    { sellerId: 'b', cents: 1, feeCents: 1 },
    { sellerId: 'a', cents: 500, feeCents: 55 },
    { cents: 0, feeCents: 0 },
  ])
})

test('splits any refund exactly and takes no more than was paid for a line', () => {
  const paid = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(paid, fc.double({ min: 0, max: 1, noNaN: true }), (cents, part) => {
      const total = cents.reduce((sum, one) => sum + one, 0)
      const amount = Math.floor(total * part)
      const shares = sharesOf(amount, cents)
      return (
        shares.reduce((sum, one) => sum + one, 0) === amount &&
        shares.every((share, i) => share >= 0 && share <= cents[i]!)
      )
    }),
  )
})

test('returns the same per line in several partial refunds as in one full refund', () => {
  const line = fc.record({ cents: fc.integer({ min: 0, max: 60 }), seller: fc.constantFrom('a', 'b', 'c') })
  const terms = fc.record({
    basisPoints: fc.integer({ min: 0, max: 10_000 }),
    fixedCents: fc.integer({ min: 0, max: 40 }),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      terms,
      fc.integer({ min: 1, max: 7 }),
      (given, fee, step) => {
        let lines = given.map(({ cents, seller }) => earned(cents, feeOf(cents, fee), seller))
        const total = lines.reduce((sum, { grossCents }) => sum + grossCents, 0)
        for (let before = 0; before < total; before += step) {
          const amount = Math.min(step, total - before)
          const returns = returnsOf(amount, lines)
          if (returns.reduce((sum, { cents }) => sum + cents, 0) !== amount) return false
          if (returns.some(({ cents, feeCents }) => cents < 0 || feeCents < 0 || feeCents > cents)) return false
          lines = lines.map((one, i) => ({
            ...one,
            returnedCents: one.returnedCents + returns[i]!.cents,
            returnedFeeCents: one.returnedFeeCents + returns[i]!.feeCents,
          }))
        }
        return lines.every((one) => one.returnedCents === one.grossCents && one.returnedFeeCents === one.feeCents)
      },
    ),
  )
})

test('charges a refund to its named lines first, up to their remaining amount', () => {
  const lines = [earned(600, 60), earned(400, 40, 'b')]
  const named = [{ orderLineId: 'a600', amountCents: 600 }]
  expect(returnsOf(600, lines, named).map(({ cents, feeCents }) => [cents, feeCents])).toEqual([
    [600, 60],
    [0, 0],
  ])
  // 100 cents of the named line were refunded before, so the next line covers the rest
  const part = [{ ...lines[0]!, returnedCents: 100, returnedFeeCents: 10 }, lines[1]!]
  expect(returnsOf(600, part, named).map(({ cents }) => cents)).toEqual([500, 100])
  // the provider refunded less than requested
  expect(returnsOf(250, lines, named).map(({ cents }) => cents)).toEqual([250, 0])
})

test('refunds exactly the price of a line over any sequence of copies', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 60 }),
      (grossCents, quantity, steps) => {
        let [returnedCents, returnedQuantity] = [0, 0]
        for (const step of [...steps, quantity]) {
          const copies = Math.min(step, quantity - returnedQuantity)
          const cents = centsOfCopies({ grossCents, returnedCents, quantity, returnedQuantity }, copies)
          if (cents < 0 || cents > grossCents - returnedCents) return false
          returnedCents += cents
          returnedQuantity += copies
        }
        return returnedCents === grossCents
      },
    ),
  )
})

test('refunds the remaining amount with the last copy, even after a refund by amount', () => {
  const line = { grossCents: 1000, returnedCents: 500, quantity: 3, returnedQuantity: 2 }
  expect(centsOfCopies(line, 1)).toBe(500)
  expect(centsOfCopies({ ...line, returnedQuantity: 0 }, 3)).toBe(500)
  expect(centsOfCopies({ ...line, returnedQuantity: 1 }, 1)).toBe(333)
})
