import { expect, test } from 'vitest'
import { formatPrice, USD } from './currency.rules.ts'

test.each([
  [1450, USD, '$14.50'],
  [0, USD, '$0.00'],
  [7, USD, '$0.07'],
  [99_999_900, USD, '$999999.00'],
  [1000, { code: 'JPY', symbol: '¥', rate: 151.237 }, '¥1512.37'],
  [1999, { code: 'CAD', symbol: 'C$', rate: 1.37 }, 'C$27.39'],
])('%i cents in %o read %s', (cents, currency, text) => {
  expect(formatPrice(cents, currency)).toBe(text)
})
