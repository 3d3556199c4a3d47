import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOfBundle } from './bundle.rules.ts'

const part = fc.record({ id: fc.uuid(), listCents: fc.integer({ min: 0, max: 100_000 }) })

test('splits prices and discounts of a bundle exactly and leaves at least a cent per copy of a paid line', () => {
  const given = fc.record({
    parts: fc.uniqueArray(part, { minLength: 2, maxLength: 20, selector: ({ id }) => id }),
    quantity: fc.integer({ min: 1, max: 9999 }),
    priceCents: fc.integer({ min: 20, max: 100_000 }),
    percent: fc.integer({ min: 0, max: 100 }),
  })
  fc.assert(
    fc.property(given, ({ parts, quantity, priceCents, percent }) => {
      // a discount code leaves at least a cent for each part
      const most = quantity * (priceCents - parts.length)
      const discountCents = Math.min(most, Math.round((quantity * priceCents * percent) / 100))
      const shares = shareOfBundle({ quantity, priceCents, discountCents }, parts)
      const sum = (name: 'priceCents' | 'discountCents') => shares.reduce((all, share) => all + share[name], 0)
      expect([sum('priceCents'), sum('discountCents')]).toEqual([priceCents, discountCents])
      for (const share of shares)
        expect(share.priceCents * quantity - share.discountCents).toBeGreaterThanOrEqual(
          share.priceCents > 0 ? quantity : 0,
        )
    }),
  )
})
