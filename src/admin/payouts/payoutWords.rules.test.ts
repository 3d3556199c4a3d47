import { expect, test } from 'vitest'
import { describeLast, describeSeller } from './payoutWords.rules.ts'

const quiet = {
  since: '2026-03-04T12:00:00Z',
  last: [],
  isFirst: false,
  sales: 0,
  sold: '0.00',
  refunded: '0.00',
  disputed: 0,
}

test.each([
  ['Member since Mar 4, 2026. 0 sales in 90 days', {}],
  ['First payout. Member since Mar 4, 2026. 0 sales in 90 days', { isFirst: true }],
  ['Member since Mar 4, 2026. 1 sale in 90 days, 0.0% refunded', { sales: 1, sold: '9.00' }],
  [
    'First payout. Member since Mar 4, 2026. 1,200 sales in 90 days, 8.3% refunded. 2 disputed sales',
    { isFirst: true, sales: 1200, sold: '120.00', refunded: '10.00', disputed: 2 },
  ],
])('describes the seller of a payout: %s', (text, facts) => {
  expect(describeSeller({ ...quiet, ...facts })).toBe(text)
})

test('lists the latest payouts of a seller with their outcome', () => {
  expect(describeLast([])).toBe('')
  const sent = { amount: '19.00', state: 'sent', at: '2026-11-02T12:00:00Z' } as const
  expect(describeLast([sent])).toBe('Last payout: $19.00 sent Nov 2, 2026')
  expect(describeLast([sent, { ...sent, state: 'failed' }])).toBe(
    'Last payouts: $19.00 sent Nov 2, 2026; $19.00 failed Nov 2, 2026',
  )
})
