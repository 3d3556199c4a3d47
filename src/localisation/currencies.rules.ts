import { type Currency, USD } from './currency.rules.ts'

// Separate from currency.rules.ts, because the first load needs one currency and not all of them.

const SYMBOLS: Record<string, string> = {
  USD: '$',
  CAD: 'C$',
  GBP: '£',
  EUR: '€',
  JPY: '¥',
  AUD: 'A$',
  CNY: '¥',
  INR: '₹',
  NGN: '₦',
  ZAR: 'R',
}
// 'EU' stands for the countries that use the euro
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'

export const CURRENCIES = Object.keys(SYMBOLS)
// a currency code begins with the code of its country
const BY_COUNTRY = Object.fromEntries(CURRENCIES.map((code) => [code.slice(0, 2), code]))

/** The currency code of a country; USD for a country that is not listed. */
export const currencyOf = (country: string): string =>
  BY_COUNTRY[country] ?? (country && EURO.split(' ').includes(country) ? 'EUR' : 'USD')

/** The currency with this code; US dollars when the code or its rate is unknown. */
export function pickCurrency(code: string, rates: Record<string, number>): Currency {
  const symbol = SYMBOLS[code]
  const rate = rates[code]
  return symbol && rate !== undefined && Number.isFinite(rate) && rate > 0 ? { code, symbol, rate } : USD
}
