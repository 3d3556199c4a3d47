import { expect, test } from 'vitest'
import { CURRENCIES, currencyOf, describeConversion, pickCurrency } from './currencies.rules.ts'
import { formatPrice, USD } from './currency.rules.ts'

test.each([
  [1450, USD, '$14.50'],
  [0, USD, '$0.00'],
  [7, USD, '$0.07'],
  [999_99, USD, '$999.99'],
  [123_456_789_00, USD, '$123,456,789.00'],
  [99_999_900, USD, '$999,999.00'],
  [1000, { code: 'JPY', symbol: '¥', rate: 151.237 }, '¥1,512.37'],
  [1999, { code: 'CAD', symbol: 'C$', rate: 1.37 }, 'C$27.39'],
])('formats %i cents in %o as %s', (cents, currency, text) => {
  expect(formatPrice(cents, currency)).toBe(text)
})

test.each([
  ['US', 'USD', '$'],
  ['CA', 'CAD', 'C$'],
  ['GB', 'GBP', '£'],
  ['EU', 'EUR', '€'],
  ['DE', 'EUR', '€'],
  ['JP', 'JPY', '¥'],
  ['AU', 'AUD', 'A$'],
  ['CN', 'CNY', '¥'],
  ['IN', 'INR', '₹'],
  ['NG', 'NGN', '₦'],
  ['ZA', 'ZAR', 'R'],
  ['BR', 'USD', '$'],
  ['', 'USD', '$'],
])('shows a shopper in %j prices in %s', (country, code, symbol) => {
  const rates = Object.fromEntries(CURRENCIES.map((each) => [each, 2]))
  expect(currencyOf(country)).toBe(code)
  expect(pickCurrency(currencyOf(country), rates)).toEqual({ code, symbol, rate: 2 })
})

test.each([
  ['EUR', {}],
  ['EUR', { EUR: 0 }],
  ['EUR', { EUR: -1 }],
  ['EUR', { EUR: Number.NaN }],
  ['CHF', { CHF: 0.9 }],
  ['toString', {}],
])('%s with the rates %o falls back to the dollar', (code, rates) => {
  expect(pickCurrency(code, rates)).toEqual(USD)
})

test.each([
  [{ code: 'EUR', symbol: '€', rate: 0.92 }, '2026-11-20T12:00:00Z', 'Nov 20, 2026: 0.92 EUR for 1 US dollar'],
  [USD, null, 'Nov 22, 2026: 1, because prices are in US dollars'],
])('describes currency, rate and date of prices in %o, and the charge in US dollars', (shown, readAt, rate) => {
  const text = `Currency ${shown.code}. Rate of ${rate}. You are charged in US dollars.`
  expect(describeConversion(shown, readAt, Date.parse('2026-11-22T12:00:00Z'))).toBe(text)
})
