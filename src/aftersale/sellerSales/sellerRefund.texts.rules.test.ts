import { expect, test } from 'vitest'
import { REFUSALS } from './sellerRefund.contract.ts'
import { describeRefund, describeRefusal, planSaleRefund } from './sellerRefund.texts.rules.ts'

const OFFER = {
  ...{ copies: 2, returned: 0, paid: '20.00', returnedSum: '0.00', fee: '2.00', returnedFee: '0.00' },
  ...{ funds: '18.00', approvalLeft: '100.00', refusal: null, isOpened: false, refunds: [] },
}

test('describes what the buyer gets, what leaves the balance and what the buyer keeps', () => {
  expect(planSaleRefund(OFFER, 1)).toEqual({
    ...{ backCents: 1000, takenCents: 900, problem: null },
    texts: [
      '$10.00 goes back to the buyer.',
      '$9.00 leaves your balance. The store returns its fee of $1.00.',
      'The buyer keeps 1.',
      'The buyer gets a mail with your reason. A review of the buyer stays.',
    ],
  })
  expect(planSaleRefund({ ...OFFER, fee: '0.00', funds: '20.00' }, 2).texts).toEqual([
    '$20.00 goes back to the buyer.',
    '$20.00 leaves your balance.',
    'The buyer can’t open it afterwards.',
    'The buyer gets a mail with your reason. A review of the buyer stays.',
  ])
})

test.each([
  ['a large sum', { approvalLeft: '5.00' }, 'The store makes refunds this large'],
  ['too small a balance', { funds: '17.99' }, '$0.01 short'],
  ['a balance below zero', { funds: '-2.00' }, '$20.00 short'],
])('names the reason that prevents a refund: %s', (_, change, problem) => {
  expect(planSaleRefund({ ...OFFER, ...change }, 2).problem).toContain(problem)
})

test('describes why no copy can be refunded', () => {
  expect(describeRefusal(OFFER)).toBeNull()
  expect(describeRefusal({ ...OFFER, returned: 2 })).toBe('All of this sale is refunded already.')
  for (const refusal of REFUSALS) expect(describeRefusal({ ...OFFER, refusal })).toMatch(/^\S.*\.$/)
})

test.each([
  ['requested', 2, 'A refund of $10.00 for 2 copies is under way.'],
  ['completed', 1, 'A refund of $10.00 was made.'],
  [
    'failed',
    2,
    'The payment provider refused: a refund of $10.00. Nothing left your balance. Write to us in the chat.',
  ],
] as const)('describes a refund that is %s', (status, copies, text) => {
  expect(describeRefund({ id: 'x', status, copies, total: '10.00', at: '2026-11-27' })).toBe(text)
})
