import { expect, test } from 'vitest'
import { asksFirst, copiesOf } from './quickBuy.rules.ts'

test.each([
  [[1], '12.50', false],
  [[10], '1000.00', false],
  [[10, 10], '250.00', false],
  [[11], '137.50', true],
  [[1], '1000.01', true],
  [[9999], '4999500.00', true],
])('copies %j for $%s: it asks first %j', (quantities, total, asks) => {
  const items = quantities.map((quantity) => ({ quantity }))
  expect(asksFirst(items, total)).toBe(asks)
  expect(copiesOf(items)).toBe(quantities.reduce((a, b) => a + b))
})
