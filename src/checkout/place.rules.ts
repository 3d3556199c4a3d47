import { discountLines, fits, type OfferedDiscount } from '../cart/discounts/discount.rules.ts'
import { MAX_CHOSEN_CENTS } from '../catalogue/price.rules.ts'
import { paidCents } from '../payments/line.rules.ts'

export const MAX_TOTAL_CENTS = 999_999_999

export type Buyable = {
  id: string
  sellerId: string
  title: string
  priceCents: number
  /** Null for a fixed price. Otherwise buyers choose the price and `priceCents` is the minimum. */
  suggestedCents: number | null
  /** The minimum price of a copy after discount codes. */
  leastCents: number
  isOnSale: boolean
  /** The product on whose page the variant is sold. Its discount codes also apply to the variant. */
  variantOf: string | null
}
/** `priceCents` is the price that the buyer chose per copy. Ignored if the price is fixed. */
export type WantedLine = { productId: string; quantity: number; priceCents?: number | undefined }
export type PricedLine = {
  productId: string
  quantity: number
  priceCents: number
  discountCents: number
  title: string
}
/** The data that the browser showed: compared, never trusted. Undefined values are not compared. */
export type ConfirmedCart = {
  totalCents?: number | undefined
  lines?: { productId: string; quantity: number; priceCents: number }[] | undefined
}

export type Pricing =
  | { kind: 'priced'; lines: PricedLine[]; totalCents: number }
  | { kind: 'unavailable'; productIds: string[] }
  | { kind: 'under_minimum'; leastCents: number; title: string }
  | { kind: 'cart_changed' }
  | { kind: 'too_large' }
  | { kind: 'price_changed'; lines: PricedLine[]; totalCents: number }

/** The maximum per day of saved wallets and store credit without a fresh proof of identity. */
const FREE_SAVED_CENTS = 100_00

/** Cash-like goods always need a proof. `dayCents` includes orders whose payment has not started. */
export const asksProof = (spent: { savedCents: number; dayCents: number; hasCash: boolean }): boolean =>
  spent.savedCents > 0 && (spent.hasCash || spent.savedCents + spent.dayCents > FREE_SAVED_CENTS)

/** Merges lines of the same product. The first chosen price wins. */
export function mergeLines(lines: WantedLine[]): WantedLine[] {
  const merged = new Map<string, WantedLine>()
  for (const line of lines) {
    const { productId, quantity } = line
    const before = merged.get(productId)
    merged.set(productId, before ? { ...before, quantity: before.quantity + quantity } : line)
  }
  return [...merged.values()]
}

const askedCents = ({ priceCents, suggestedCents }: Buyable, chosenCents: number | undefined): number =>
  suggestedCents === null ? priceCents : (chosenCents ?? suggestedCents)

export function priceOrder(
  wanted: WantedLine[],
  products: Buyable[],
  seen: ConfirmedCart,
  discounts: OfferedDiscount[] = [],
): Pricing {
  const known = new Map(products.map((product) => [product.id, product]))
  const missing = wanted.filter(({ productId }) => !known.get(productId)?.isOnSale).map(({ productId }) => productId)
  if (missing.length > 0) return { kind: 'unavailable', productIds: missing }
  const asked = wanted.map(({ productId, quantity, priceCents }) => {
    const product = known.get(productId)!
    return { product, quantity, cents: askedCents(product, priceCents) }
  })
  const wrong = asked.find(
    ({ product, cents }) => product.suggestedCents !== null && (cents < product.priceCents || cents > MAX_CHOSEN_CENTS),
  )
  if (wrong) return { kind: 'under_minimum', leastCents: wrong.product.priceCents, title: wrong.product.title }
  const cuts = discountLines(
    asked.map(({ product, quantity, cents }) => ({
      cents: cents * quantity,
      leastCents: product.leastCents * quantity,
      discount: discounts.find((one) => fits(one, product)) ?? null,
    })),
  )
  const lines = asked.map(({ product: { id: productId, title }, quantity, cents: priceCents }, i) => {
    return { productId, quantity, priceCents, discountCents: cuts[i]!, title }
  })
  const totalCents = lines.reduce((sum, line) => sum + paidCents(line), 0)
  if (totalCents > MAX_TOTAL_CENTS) return { kind: 'too_large' }
  if (seen.lines) {
    const claims = mergeLines(seen.lines)
    const isSameCart =
      claims.length === lines.length && claims.every((claim) => lines.some((line) => isSameLine(line, claim)))
    if (!isSameCart) return { kind: 'cart_changed' }
    const isSamePrices = seen.lines.every((claim) =>
      lines.every(({ productId, priceCents }) => productId !== claim.productId || priceCents === claim.priceCents),
    )
    if (!isSamePrices) return { kind: 'price_changed', lines, totalCents }
  }
  if (seen.totalCents !== undefined && seen.totalCents !== totalCents)
    return { kind: 'price_changed', lines, totalCents }
  return { kind: 'priced', lines, totalCents }
}

const isSameLine = (a: WantedLine, b: WantedLine) => a.productId === b.productId && a.quantity === b.quantity
