/** A currency as prices are shown in it; `rate` is what one US dollar is worth. */
export type Currency = { code: string; symbol: string; rate: number }

export const USD: Currency = { code: 'USD', symbol: '$', rate: 1 }

/** The symbol and the USD price times the rate, with two decimals: 1450 cents -> '$14.50'. */
export const formatPrice = (cents: number, { symbol, rate }: Currency): string =>
  symbol + ((cents * rate) / 100).toFixed(2)
