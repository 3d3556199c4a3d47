import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextShares, shareOf } from './refund.rules.ts'

test('a whole refund takes from each seller what each was owed', () => {
  const owed = [
    { sellerId: 'a', cents: 1000 },
    { sellerId: 'b', cents: 1 },
    { sellerId: 'a', cents: 500 },
  ]
  expect(shareOf(1501, owed)).toEqual([
    { sellerId: 'a', cents: 1500 },
    { sellerId: 'b', cents: 1 },
  ])
})

test('the shares of any refund add up to it, and nobody gives back more than they were owed', () => {
  const seller = fc.record({ sellerId: fc.constantFrom('a', 'b', 'c'), cents: fc.integer({ min: 1, max: 10_000_000 }) })
  fc.assert(
    fc.property(
      fc.array(seller, { minLength: 1, maxLength: 10 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (owed, part) => {
        const total = owed.reduce((sum, { cents }) => sum + cents, 0)
        const amount = Math.max(1, Math.floor(total * part))
        const shares = shareOf(amount, owed)
        const owedOf = (id: string) =>
          owed.filter(({ sellerId }) => sellerId === id).reduce((sum, { cents }) => sum + cents, 0)
        return (
          shares.reduce((sum, { cents }) => sum + cents, 0) === amount &&
          shares.every(({ sellerId, cents }) => cents > 0 && cents <= owedOf(sellerId))
        )
      },
    ),
  )
})

test('refunds in parts take from nobody more than they were owed, and in the end exactly that', () => {
  const seller = fc.record({ sellerId: fc.constantFrom('a', 'b', 'c'), cents: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(fc.array(seller, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 7 }), (owed, step) => {
      const total = owed.reduce((sum, { cents }) => sum + cents, 0)
      const back = new Map<string, number>()
      for (let before = 0; before < total; before += step) {
        const shares = nextShares(before, Math.min(step, total - before), owed)
        for (const { sellerId, cents } of shares) back.set(sellerId, (back.get(sellerId) ?? 0) + cents)
        if (shares.some(({ cents }) => cents < 0)) return false
      }
      return owed.every(({ sellerId }) => {
        const sum = owed.filter((other) => other.sellerId === sellerId).reduce((all, { cents }) => all + cents, 0)
        return back.get(sellerId) === sum
      })
    }),
  )
})
