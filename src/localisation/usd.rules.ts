import { formatPrice, USD } from './currency.rules.ts'

/** A charged amount, always in US dollars: 7300 cents -> '$73.00'. */
export const usd = (cents: number): string => formatPrice(cents, USD)

/** An amount that may be negative: -500 -> '−$5.00'. */
export const signedUsd = (cents: number): string => (cents < 0 ? `−${usd(-cents)}` : usd(cents))

export const priceText = (cents: number): string => (cents === 0 ? 'Free' : usd(cents))
