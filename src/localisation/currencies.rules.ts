import { type Currency, USD } from './currency.rules.ts'
import { formatDay } from './dates.rules.ts'

// Separate from currency.rules.ts, because the first load needs only one currency.

/** The symbol of each currency, and the approximate value of a dollar in 2026. */
const KNOWN: Record<string, [symbol: string, about: number]> = {
  USD: ['$', 1],
  CAD: ['C$', 1.4],
  GBP: ['£', 0.75],
  EUR: ['€', 0.9],
  JPY: ['¥', 150],
  AUD: ['A$', 1.5],
  CNY: ['¥', 7],
  INR: ['₹', 85],
  NGN: ['₦', 1500],
  ZAR: ['R', 18],
}
// the countries that use the euro
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'

export const CURRENCIES = Object.keys(KNOWN)
// a currency code begins with its country code
const BY_COUNTRY = Object.fromEntries(CURRENCIES.map((code) => [code.slice(0, 2), code]))

/** Returns false for a rate that is ten times too high or low, so that a faulty service cannot show absurd prices. */
export function isPlausible(code: string, rate: number): boolean {
  const [, about = NaN] = KNOWN[code] ?? []
  return rate > about / 10 && rate < about * 10
}

export const currencyOf = (country: string): string =>
  BY_COUNTRY[country] ?? (country && EURO.split(' ').includes(country) ? 'EUR' : 'USD')

export function pickCurrency(code: string, rates: Record<string, number>): Currency {
  const symbol = CURRENCIES.includes(code) && KNOWN[code]?.[0]
  const rate = rates[code]
  return symbol && rate !== undefined && Number.isFinite(rate) && rate > 0 ? { code, symbol, rate } : USD
}

export function describeConversion({ code, rate }: Currency, readAt: string | null | undefined, now: number): string {
  const day = formatDay(readAt ?? new Date(now).toISOString())
  const value = code === USD.code ? '1, because prices are in US dollars' : `${rate} ${code} for 1 US dollar`
  return `Currency ${code}. Rate of ${day}: ${value}. You are charged in US dollars.`
}
