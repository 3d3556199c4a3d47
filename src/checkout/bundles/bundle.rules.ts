import { shareDiscount } from '../../cart/discounts/discount.rules.ts'
import { type Part, splitPrice } from '../../catalogue/bundles/split.rules.ts'

type Bundle = { quantity: number; priceCents: number; discountCents: number }
type Share = { priceCents: number; discountCents: number }

/** What each part costs for a copy, and what the discount takes off its line. Both add up to those of the bundle. Pure; cents. */
export function shareOfBundle({ quantity, priceCents, discountCents }: Bundle, parts: Part[]): Share[] {
  const prices = splitPrice(priceCents, parts)
  const lines = prices.map((cents) => ({ cents: cents * quantity, leastCents: cents > 0 ? quantity : 0 }))
  const cuts = shareDiscount(lines, { percent: null, amountCents: discountCents })
  return prices.map((cents, i) => ({ priceCents: cents, discountCents: cuts[i]! }))
}
