import { formatPrice, USD } from './currency.rules.ts'

/** A charged amount, always in US dollars: 7300 cents -> '$73.00'. */
export const usd = (cents: number): string => formatPrice(cents, USD)

/** 'Free' for nothing. */
export const priceText = (cents: number): string => (cents === 0 ? 'Free' : usd(cents))
