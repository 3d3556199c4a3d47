import { expect, test } from 'vitest'
import { planSaleRefund } from './sellerRefund.texts.rules.ts'

const OFFER = {
  ...{ copies: 2, returned: 0, paid: '20.00', returnedSum: '0.00', fee: '2.00', returnedFee: '0.00' },
  ...{ funds: '18.00', approvalAbove: '100.00', isDisputed: false, isOpened: false },
}

test('says what the buyer gets, what leaves the balance, and what the buyer keeps', () => {
  expect(planSaleRefund(OFFER, 1)).toEqual({
    ...{ backCents: 1000, takenCents: 900, problem: null },
    texts: [
      '$10.00 goes back to the buyer.',
      '$9.00 leaves your balance. The store returns its fee of $1.00.',
      'The buyer keeps 1.',
      'The buyer gets a mail with your words.',
    ],
  })
  expect(planSaleRefund({ ...OFFER, fee: '0.00', funds: '20.00' }, 2).texts).toEqual([
    '$20.00 goes back to the buyer.',
    '$20.00 leaves your balance.',
    'The buyer can’t open it afterwards.',
    'The buyer gets a mail with your words.',
  ])
})

test.each([
  ['a disputed sale', { isDisputed: true }, 'disputes this payment'],
  ['nothing left', { returned: 2, returnedSum: '20.00', returnedFee: '2.00' }, 'refunded already'],
  ['a large sum', { approvalAbove: '5.00' }, 'Refunds above $5.00 are for the store'],
  ['too small a balance', { funds: '17.99' }, '$0.01 short'],
  ['a balance below zero', { funds: '-2.00' }, '$20.00 short'],
])('a refund of %s is refused with the reason', (_, change, problem) => {
  expect(planSaleRefund({ ...OFFER, ...change }, 2).problem).toContain(problem)
})
