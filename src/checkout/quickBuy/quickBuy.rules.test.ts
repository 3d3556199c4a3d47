import { expect, test } from 'vitest'
import { asksFirst, copiesOf, describeCharge, describePlaced, describeQuickBuy } from './quickBuy.rules.ts'

test.each([
  [[1], '12.50', false],
  [[10], '1000.00', false],
  [[10, 10], '250.00', false],
  [[11], '137.50', true],
  [[1], '1000.01', true],
  [[9999], '4999500.00', true],
])('asks for a confirmation of copies %j at $%s: %j', (quantities, total, asks) => {
  const items = quantities.map((quantity) => ({ quantity }))
  expect(asksFirst(items, total)).toBe(asks)
  expect(copiesOf(items)).toBe(quantities.reduce((a, b) => a + b))
})

const WALLET = 'ada@example.com'

test.each([
  [
    'charges the wallet',
    WALLET,
    '0.00',
    'Quick Buy charges ada@example.com.',
    'ada@example.com will be charged right away.',
  ],
  [
    'uses credit',
    WALLET,
    '10.00',
    'Your store credit pays all of it.',
    'Your store credit covers all of it right away.',
  ],
  [
    'uses credit and the wallet',
    WALLET,
    '4.00',
    'Quick Buy uses $4.00 of store credit and charges ada@example.com $6.00.',
    'Store credit covers $4.00. ada@example.com will be charged $6.00 right away.',
  ],
])('announces that Quick Buy %s', (_, method, credit, under, asked) => {
  expect(describeQuickBuy({ method, credit, total: '10.00' })).toBe(under)
  expect(describeCharge({ method, credit, total: '10.00' })).toBe(asked)
})

test('says nothing of Quick Buy without a saved method', () => {
  expect(describeQuickBuy({ method: undefined, credit: '0.00', total: '10.00' })).toBe('')
  expect(describeQuickBuy({ method: undefined, credit: '4.00', total: '10.00' })).toBe('')
})

test.each([
  ['completed', null, false, /^Your order has been placed successfully\.$/],
  ['pending', null, false, /^Payment is due/],
  ['pending', null, true, /^Your payment isn’t complete yet/],
  [
    'pending',
    { kind: 'step_up', why: [], until: '', isClearedByConfirming: true },
    false,
    /^Your payment isn’t complete/,
  ],
] as const)('shows that a %s Quick Buy is placed or still unpaid', (status, hold, hasWallet, text) => {
  expect(describePlaced({ status, hold: hold && { ...hold, why: [] } }, hasWallet)).toMatch(text)
})
