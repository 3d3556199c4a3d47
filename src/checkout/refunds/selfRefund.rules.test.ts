import { expect, test } from 'vitest'
import { CREDIT } from '../../payments/credit.contract.ts'
import { METHOD } from '../../../test/payment.ts'
import type { BuyerRefundOffer } from './selfRefund.contract.ts'
import { type SelfFacts, selfRefundPromise, type WhyNot, whyNotNow } from './selfRefund.rules.ts'
import { planOf } from './selfRefund.texts.rules.ts'

const facts: SelfFacts = {
  ...{ days: 14, ageDays: 3, isUsed: false, isUntouched: true, isDeclined: false },
  ...{ isOwn: false, recent: 0, isDoubtful: false, isLarge: false },
}

test.each<[Partial<SelfFacts>, WhyNot]>([
  [{}, null],
  [{ ageDays: 14 }, null],
  [{ ageDays: 14.001 }, 'late'],
  [{ days: 0 }, 'off'],
  [{ isUsed: true, ageDays: 90 }, 'used'],
  [{ recent: 4 }, null],
  [{ recent: 5 }, 'often'],
  [{ isUntouched: false }, 'look'],
  [{ isDeclined: true }, 'look'],
  [{ isOwn: true }, 'look'],
  [{ isDoubtful: true }, 'look'],
  [{ isLarge: true }, 'look'],
])('says why a line waits for staff: %j', (change, why) => {
  expect(whyNotNow({ ...facts, ...change })).toBe(why)
})

test('promises nothing when it is switched off', () => {
  expect(selfRefundPromise(0)).toBe('')
  expect(selfRefundPromise(7)).toMatch(/^For 7 days /)
})

const offer: BuyerRefundOffer = {
  ...{ paid: '6.00', left: '6.00', credit: '4.00', bonus: '0.90', to: METHOD, days: 14 },
  lines: [
    { id: 'a', amount: '7.00', whyNot: null },
    { id: 'b', amount: '3.00', whyNot: 'used' },
  ],
}

test('says what comes back and how before the press', () => {
  expect(planOf(offer, ['a'])).toEqual({
    ...{ now: ['a'], later: [], nowCents: 700 },
    texts: [
      '$6.00 goes back to PayPal at once, and shows there in a few days.',
      '$1.00 is store credit again.',
      '$0.90 of your first-purchase bonus is taken back.',
      'You can’t open it afterwards.',
    ],
  })
  expect(planOf(offer, ['a', 'b'])).toMatchObject({ now: ['a'], later: ['b'] })
  expect(planOf(offer, ['b']).texts).toEqual(['You have opened it, so we look at it first.'])
  expect(
    planOf({ ...offer, to: CREDIT, paid: '10.00', left: '10.00', credit: '0.00', bonus: '0.00' }, ['a']).texts[0],
  ).toBe('$7.00 is store credit again.')
  // without an offer everything is asked for
  expect(planOf(null, ['a'])).toEqual({ now: [], later: ['a'], nowCents: 0, texts: [] })
})
