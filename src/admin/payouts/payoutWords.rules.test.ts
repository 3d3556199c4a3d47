import { expect, test } from 'vitest'
import { describeSeller } from './payoutWords.rules.ts'

const quiet = { isFirst: false, sales: 0, sold: '0.00', refunded: '0.00', disputed: 0 }

test.each([
  ['0 sales in 90 days', {}],
  ['First payout. 0 sales in 90 days', { isFirst: true }],
  ['1 sale in 90 days, 0.0% refunded', { sales: 1, sold: '9.00' }],
  [
    'First payout. 1,200 sales in 90 days, 8.3% refunded. 2 disputed sales',
    { isFirst: true, sales: 1200, sold: '120.00', refunded: '10.00', disputed: 2 },
  ],
])('describes the seller of a payout: %s', (text, facts) => {
  expect(describeSeller({ ...quiet, ...facts })).toBe(text)
})
