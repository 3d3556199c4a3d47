import { discountLines, fits, type OfferedDiscount } from '../cart/discounts/discount.rules.ts'
import { paidCents } from '../payments/line.rules.ts'

// Prices an order and compares it with what the browser showed. Pure; cents.

/** The largest payment: $9,999,999.99. */
export const MAX_TOTAL_CENTS = 999_999_999

export type Buyable = {
  id: string
  sellerId: string
  title: string
  priceCents: number
  isListed: boolean
}
export type WantedLine = { productId: string; quantity: number }
export type PricedLine = WantedLine & { priceCents: number; discountCents: number; title: string }
/** What the browser showed, to compare and never to trust. Undefined: it claims nothing. */
export type Seen = { totalCents?: number | undefined; lines?: (WantedLine & { priceCents: number })[] | undefined }

export type Pricing =
  | { kind: 'priced'; lines: PricedLine[]; totalCents: number }
  | { kind: 'unavailable'; productIds: string[] }
  | { kind: 'cart_changed' }
  | { kind: 'too_large' }
  | { kind: 'price_changed'; lines: PricedLine[]; totalCents: number }

/** What orders by a saved wallet, and store credit, may sum to in a day without a fresh proof of identity. */
const FREE_SAVED_CENTS = 100_00

/** Goods as good as cash always ask. `dayCents` is that sum, with orders whose payment has not begun. */
export const asksProof = (spent: { savedCents: number; dayCents: number; hasCash: boolean }): boolean =>
  spent.savedCents > 0 && (spent.hasCash || spent.savedCents + spent.dayCents > FREE_SAVED_CENTS)

/** Adds up lines of the same product. */
export function mergeLines(lines: WantedLine[]): WantedLine[] {
  const quantities = new Map<string, number>()
  for (const { productId, quantity } of lines) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity)
  return [...quantities].map(([productId, quantity]) => ({ productId, quantity }))
}

/** Prices the wanted lines from the catalogue, takes the discounts off, then compares with what the browser showed. */
export function priceOrder(
  wanted: WantedLine[],
  products: Buyable[],
  seen: Seen,
  discounts: OfferedDiscount[] = [],
): Pricing {
  const known = new Map(products.map((product) => [product.id, product]))
  const missing = wanted.filter(({ productId }) => !known.get(productId)?.isListed).map(({ productId }) => productId)
  if (missing.length > 0) return { kind: 'unavailable', productIds: missing }
  const cuts = discountLines(
    wanted.map(({ productId, quantity }) => {
      const product = known.get(productId)!
      const discount = discounts.find((one) => fits(one, product)) ?? null
      return { cents: product.priceCents * quantity, discount }
    }),
  )
  const lines = wanted.map((line, i) => {
    const { priceCents, title } = known.get(line.productId)!
    return { ...line, priceCents, discountCents: cuts[i]!, title }
  })
  const totalCents = lines.reduce((sum, line) => sum + paidCents(line), 0)
  if (totalCents > MAX_TOTAL_CENTS) return { kind: 'too_large' }
  if (seen.lines) {
    const claims = mergeLines(seen.lines)
    const isSameCart =
      claims.length === lines.length && claims.every((claim) => lines.some((line) => isSameLine(line, claim)))
    if (!isSameCart) return { kind: 'cart_changed' }
    const isSamePrices = seen.lines.every((claim) => known.get(claim.productId)!.priceCents === claim.priceCents)
    if (!isSamePrices) return { kind: 'price_changed', lines, totalCents }
  }
  if (seen.totalCents !== undefined && seen.totalCents !== totalCents)
    return { kind: 'price_changed', lines, totalCents }
  return { kind: 'priced', lines, totalCents }
}

const isSameLine = (a: WantedLine, b: WantedLine) => a.productId === b.productId && a.quantity === b.quantity
