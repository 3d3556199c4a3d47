import { shareDiscount } from '../../cart/discounts/discount.rules.ts'
import { type Part, splitPrice } from '../../catalogue/bundles/split.rules.ts'

type Bundle = { quantity: number; priceCents: number; discountCents: number }
type Share = { priceCents: number; discountCents: number }

/** Splits a bundle's price and discount over its parts. The parts sum to the bundle. Amounts in cents. */
export function shareOfBundle({ quantity, priceCents, discountCents }: Bundle, parts: Part[]): Share[] {
  const prices = splitPrice(priceCents, parts)
  const lines = prices.map((cents) => ({ cents: cents * quantity, leastCents: cents > 0 ? quantity : 0 }))
  const cuts = shareDiscount(lines, { percent: null, amountCents: discountCents })
  return prices.map((cents, i) => ({ priceCents: cents, discountCents: cuts[i]! }))
}
