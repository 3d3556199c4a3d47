import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectOf, type RefundTerms } from './refund.rules.ts'

const terms: RefundTerms = {
  ...{ paidCents: 1000, leftCents: 1000, creditCents: 0, isCredit: false, isUnused: false, bonusCents: 150 },
}

test.each([
  ['a part', {}, 250, { moneyCents: 250, creditCents: 0, bonusCents: 37, isWhole: false }],
  ['all', {}, 1000, { moneyCents: 1000, creditCents: 0, bonusCents: 150, isWhole: true }],
  ['the rest', { leftCents: 750 }, 750, { moneyCents: 750, creditCents: 0, bonusCents: 113, isWhole: true }],
  [
    'a part beside credit',
    { creditCents: 400 },
    999,
    { moneyCents: 999, creditCents: 0, bonusCents: 149, isWhole: false },
  ],
  [
    'all beside credit',
    { creditCents: 400 },
    1000,
    { moneyCents: 1000, creditCents: 400, bonusCents: 150, isWhole: true },
  ],
  ['a part of credit', { isCredit: true }, 250, { moneyCents: 0, creditCents: 250, bonusCents: 0, isWhole: false }],
  [
    'what never became goods',
    { isUnused: true, creditCents: 400 },
    1000,
    { moneyCents: 1000, creditCents: 0, bonusCents: 0, isWhole: true },
  ],
] as const)('computes the effect of refunding %s', (_, change, amountCents, effect) => {
  expect(effectOf({ ...terms, ...change }, amountCents)).toEqual(effect)
})

test('refunds all money, credit and bonus once over any partial refunds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), fc.nat(500), (parts, bonusCents) => {
      let leftCents = 1000
      const sum = { moneyCents: 0, creditCents: 0, bonusCents: 0 }
      for (const part of [...parts, 1000]) {
        if (leftCents === 0) break
        const amount = Math.min(part, leftCents)
        const effect = effectOf({ ...terms, bonusCents, leftCents, creditCents: 300 }, amount)
        leftCents -= amount
        for (const name of ['moneyCents', 'creditCents', 'bonusCents'] as const) sum[name] += effect[name]
        expect(effect.isWhole).toBe(leftCents === 0)
      }
      expect(sum).toEqual({ moneyCents: 1000, creditCents: 300, bonusCents })
    }),
  )
})
