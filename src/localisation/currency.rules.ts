/** `rate` is the value of one US dollar. */
export type Currency = { code: string; symbol: string; rate: number }

export const USD: Currency = { code: 'USD', symbol: '$', rate: 1 }

/** Formats US cents in a currency, with two decimals and separated thousands: 145000 -> '$1,450.00'. */
export const formatPrice = (cents: number, { symbol, rate }: Currency): string =>
  symbol + ((cents * rate) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')
