import { expect, test } from 'vitest'
import { CREDIT } from '../../payments/credit.contract.ts'
import { STRIPE } from '../../payments/methods.ts'
import { METHOD } from '../../../test/payment.ts'
import type { BuyerRefundOffer } from './selfRefund.contract.ts'
import { atOnceOf, type SelfFacts, selfRefundPromise, type WhyNot, whyNotNow } from './selfRefund.rules.ts'
import { planOf } from './selfRefund.texts.rules.ts'

const facts: SelfFacts = {
  ...{ days: 14, ageDays: 3, copies: 1, unopened: 1, isUsed: false, isUntouched: true, isDeclined: false },
  ...{ isOwn: false, recent: 0, isDoubtful: false, isLarge: false },
}

test.each<[Partial<SelfFacts>, WhyNot]>([
  [{}, null],
  [{ ageDays: 14 }, null],
  [{ ageDays: 14.001 }, 'late'],
  [{ days: 0 }, 'off'],
  [{ isUsed: true, unopened: 0, ageDays: 90 }, 'used'],
  [{ copies: 3, unopened: 2, isUsed: true }, 'used'],
  [{ unopened: 0 }, 'claimed'],
  [{ copies: 2, unopened: 1 }, 'claimed'],
  [{ copies: 2, unopened: 1, ageDays: 90 }, 'late'],
  [{ recent: 4 }, null],
  [{ recent: 5 }, 'often'],
  [{ isUntouched: false }, 'look'],
  [{ isDeclined: true }, 'look'],
  [{ isOwn: true }, 'look'],
  [{ isDoubtful: true }, 'look'],
  [{ isLarge: true }, 'look'],
])('shows why a line waits for staff: %j', (change, why) => {
  expect(whyNotNow({ ...facts, ...change })).toBe(why)
})

test('refunds unopened and unclaimed copies at once', () => {
  expect(atOnceOf({ ...facts, copies: 3, unopened: 2, isUsed: true })).toBe(2)
  expect(atOnceOf({ ...facts, copies: 2, unopened: 1 })).toBe(1)
  expect(atOnceOf({ ...facts, copies: 2, unopened: 1, isOwn: true })).toBe(0)
})

test('shows no promise when the setting is 0', () => {
  expect(selfRefundPromise(0)).toBe('')
  expect(selfRefundPromise(7)).toMatch(/^For 7 days /)
})

const lineOf = (id: string, amount: string, change: Partial<BuyerRefundOffer['lines'][number]> = {}) => ({
  ...{ id, amount, paid: amount, quantity: 1, returned: 0, atOnce: 1, whyNot: null },
  claimed: { copies: 0, isOpened: false, names: [] },
  ...change,
})
const offer: BuyerRefundOffer = {
  ...{ paid: '6.00', left: '6.00', credit: '4.00', bonus: '0.90', to: METHOD, days: 14 },
  lines: [lineOf('a', '7.00'), lineOf('b', '3.00', { whyNot: 'used', atOnce: 0 })],
}

test('shows the amount and its destination before the buyer confirms', () => {
  expect(planOf(offer, { a: 1 })).toEqual({
    ...{ now: [{ id: 'a', copies: 1 }], later: [], nowCents: 700 },
    texts: [
      '$6.00 goes back to PayPal at once, and shows there in a few days.',
      '$1.00 is store credit again.',
      '$0.90 of your first-purchase bonus is taken back.',
      'You can’t open it afterwards.',
    ],
  })
  expect(planOf({ ...offer, to: STRIPE }, { a: 1 }).texts[0]).toMatch(/^\$6\.00 goes back to your card at once/)
  const byCard = (card: string) => planOf({ ...offer, to: STRIPE, card }, { a: 1 }).texts[0]
  expect(byCard('Visa ending in 4242')).toMatch(/^\$6\.00 goes back to your Visa ending in 4242 at once/)
  expect(byCard('Card ending in 4242')).toMatch(/^\$6\.00 goes back to your card ending in 4242 at once/)
  expect(planOf(offer, { a: 1, b: 1 })).toMatchObject({ now: [{ id: 'a' }], later: [{ id: 'b' }] })
  expect(planOf(offer, { b: 1 }).texts).toEqual(['You have opened it, so we look at it first.'])
  expect(
    planOf({ ...offer, to: CREDIT, paid: '10.00', left: '10.00', credit: '0.00', bonus: '0.00' }, { a: 1 }).texts[0],
  ).toBe('$7.00 is store credit again.')
  // without an offer, staff review everything
  expect(planOf(null, { a: 1, b: 0 })).toEqual({ now: [], later: [{ id: 'a', copies: 1 }], nowCents: 0, texts: [] })
})

test.each([
  [
    { copies: 1, isOpened: false, names: ['Noor B.'] },
    1,
    ['Noor B. claimed your gift, so we look at it first.', 'A refund takes it away from Noor B.'],
  ],
  [
    { copies: 1, isOpened: true, names: [] },
    1,
    [
      'Another person claimed and opened your gift, so we look at it first.',
      'A refund takes it away from that person.',
    ],
  ],
  [
    { copies: 1, isOpened: false, names: ['Noor'] },
    2,
    [
      'Noor claimed 1 copy, so we look at it first. 1 copy is refunded at once: choose 1.',
      'A refund takes it away from Noor.',
    ],
  ],
])('shows which recipients lose a gift: %j of %i', (claimed, quantity, texts) => {
  const gift = lineOf('g', '8.00', { claimed, quantity, whyNot: 'claimed', atOnce: quantity - claimed.copies })
  const told = planOf({ ...offer, lines: [gift] }, { g: quantity })
  expect(told).toMatchObject({ now: [], later: [{ id: 'g', copies: quantity }], texts })
  if (quantity > 1) expect(planOf({ ...offer, lines: [gift] }, { g: 1 })).toMatchObject({ nowCents: 400, later: [] })
})
