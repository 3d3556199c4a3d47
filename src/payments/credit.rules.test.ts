import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isPayerKnown,
  type BonusTerms,
  bonusCents,
  creditTowards,
  describeHeld,
  signedUsd,
  spendableCents,
  takenBackCents,
} from './credit.rules.ts'
import { bonusGain, bonusRule, bonusTitle } from './bonus/promise.rules.ts'

const terms: BonusTerms = { percent: 15, capCents: 1500 }
const line = (cents: number, earns = true, isOwn = false) => ({ cents, earns, isOwn })

test.each([
  ['15 % of the price', [line(1000)], 1000, 150],
  ['rounded down', [line(999)], 999, 149],
  ['no more than the cap', [line(100_000)], 100_000, 1500],
  ['nothing for an excluded category', [line(5000, false)], 5000, 0],
  ['the book beside the gift card', [line(5000, false), line(1000)], 6000, 150],
  ["nothing for one's own product", [line(1000, true, true)], 1000, 0],
  ['only what was paid with money', [line(1000)], 400, 60],
  ['nothing for an order that credit paid', [line(1000)], 0, 0],
])('calculates the bonus of a first purchase: %s', (_, lines, paid, bonus) =>
  expect(bonusCents(lines, paid, terms)).toBe(bonus),
)

test('earns no bonus if the bonus setting is zero percent', () =>
  expect(bonusCents([line(1000)], 1000, { ...terms, percent: 0 })).toBe(0))

const cents = fc.integer({ min: 1, max: 999_999_999 })
const lines = fc.array(
  fc.record({
    cents,
    earns: fc.boolean(),
    isOwn: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

test('never grants a bonus below zero, above the cap, above its percentage or above the money paid', () => {
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (bought, share) => {
      const total = bought.reduce((sum, one) => sum + one.cents, 0)
      const paid = Math.floor(total * share)
      const bonus = bonusCents(bought, paid, terms)
      expect(Number.isSafeInteger(bonus)).toBe(true)
      expect(bonus).toBeGreaterThanOrEqual(0)
      expect(bonus).toBeLessThanOrEqual(Math.min(terms.capCents, (paid * 15) / 100))
    }),
  )
})

test('takes back exactly the whole bonus over several partial refunds', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 1500 }), (parts, earned) => {
      const paid = parts.reduce((sum, part) => sum + part, 0)
      let [refunded, before] = [0, 0]
      for (const part of parts) {
        refunded += part
        const taken = takenBackCents(earned, refunded, paid)
        expect(taken).toBeGreaterThanOrEqual(before)
        expect(taken).toBeLessThanOrEqual(earned)
        before = taken
      }
      expect(before).toBe(earned)
    }),
  )
})

test.each([
  [true, 'PAYER1', 'live', true],
  [true, null, 'live', false],
  [true, null, 'sandbox', true],
  [false, 'PAYER1', 'live', false],
  [false, null, 'sandbox', false],
] as const)('identifiesPayer %s, payer id %s, %s: the payer is known: %s', (identifiesPayer, payerId, mode, isKnown) =>
  expect(isPayerKnown({ identifiesPayer, payerId, mode })).toBe(isKnown),
)

test('never spends a debt or more credit than the total', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5000, max: 5000 }), cents, (balance, total) => {
      expect(spendableCents(balance)).toBe(balance < 0 ? 0 : balance)
      const credit = creditTowards(total, spendableCents(balance))
      expect(credit).toBeLessThanOrEqual(total)
      expect(credit).toBeGreaterThanOrEqual(0)
    }),
  )
})

test.each([
  [{ cap: '15.00', needsVerifiedEmail: false }, undefined, 'Up to $15.00 back as store credit.'],
  [
    { cap: '15.00', needsVerifiedEmail: true },
    undefined,
    'Up to $15.00 back as store credit, once your email is verified.',
  ],
  [{ cap: '15.00', needsVerifiedEmail: true }, 150, 'This order earns $1.50, once your email is verified.'],
  [{ cap: '15.00', needsVerifiedEmail: true }, 0, 'This cart earns no bonus.'],
])('the bonus of %j for an order that earns %s reads: %s', (bonus, earnedCents, text) => {
  expect(bonusGain(bonus, earnedCents)).toBe(text)
})

test.each([
  ['usdc', 'A first purchase with USDC earns no bonus, and no later purchase earns one.'],
  ['paypal', 'This order earns $1.50.'],
  [undefined, 'This order earns $1.50.'],
])('the note for a cart with the method %s is: %s', (method, text) => {
  const bonus = { cap: '15.00', needsVerifiedEmail: false, anonymousMethods: ['usdc'] }
  expect(bonusGain(bonus, 150, method)).toBe(text)
})

test('shows the specified bonus title with its conditions', () => {
  expect(bonusTitle(15)).toBe('15% bonus on the first purchase')
  const rule = { percent: 15, cap: '15.00', excluded: ['Gift Cards', 'Prints'], cash: ['Gift Cards', 'Crypto'] }
  expect(bonusRule(rule)).toBe(
    'Get 15% of its price back as store credit, up to $15.00, as soon as it’s paid. Excludes Gift Cards, Prints, ' +
      'and anything paid with store credit. One per person, with a verified email. A refund takes back its share. ' +
      'For 14 days it doesn’t pay for Gift Cards or Crypto.',
  )
  expect(bonusRule({ ...rule, anonymousMethods: ['usdc'] })).toMatch(
    /doesn’t pay for Gift Cards or Crypto\. A first purchase with USDC earns no bonus, and no later purchase earns one\.$/,
  )
  expect(bonusRule({ ...rule, excluded: [], cash: [] })).toMatch(
    /Excludes anything paid with store credit\..* its share\.$/,
  )
  expect(
    describeHeld({ amount: '15.00', until: '2026-08-30T12:00:00.000Z', cash: ['Crypto', 'Vouchers', 'Coins'] }),
  ).toBe(
    'What is left of your $15.00 first-purchase bonus doesn’t pay for Crypto, Vouchers, or Coins before Aug 30, 2026.',
  )
  expect([signedUsd('-1.50'), signedUsd('1.50')]).toEqual(['−$1.50', '+$1.50'])
})

test.each([
  ['all of a book', 1500, 0, 1500],
  ['nothing of a gift card', 1500, 1500, 0],
  ['the book beside a gift card', 2500, 1500, 1000],
])('calculates how much a held bonus pays: %s', (_, total, cashCents, paid) =>
  expect(creditTowards(total, 1500, { cashCents, heldCents: 1500 })).toBe(paid),
)
