import { toCents } from '../../kit/money.ts'
import type { CartItem } from '../cart.contract.ts'
import { lineCents } from '../cart.rules.ts'

/** Has either a percentage or an amount. The amount applies once per order. */
export type DiscountTerms = { id: string; percent: number | null; amountCents: number | null }

/** `productIds` is null if the code is for all products of the seller. */
export type OfferedDiscount = DiscountTerms & { sellerId: string; productIds: string[] | null }

export type Discounted = { id: string; sellerId: string; variantOf: string | null }

/** Returns whether a code fits a product. A code for a product fits its variants, but not bundles that contain it. */
export const fits = ({ sellerId, productIds }: OfferedDiscount, { id, variantOf, ...product }: Discounted): boolean =>
  product.sellerId === sellerId &&
  (productIds === null || productIds.includes(id) || (variantOf !== null && productIds.includes(variantOf)))

/** No discount reduces a line below `leastCents`, such as the minimum of a price that buyers choose. */
export type DiscountedLine = { cents: number; leastCents: number }

export function discountLines(lines: (DiscountedLine & { discount: DiscountTerms | null })[]): number[] {
  const off = lines.map(() => 0)
  const terms = new Map(lines.flatMap(({ discount }) => (discount ? [[discount.id, discount]] : [])))
  for (const discount of terms.values()) {
    const fitting = lines.flatMap((line, i) => (line.discount?.id === discount.id ? [{ line, i }] : []))
    const shares = shareDiscount(
      fitting.map(({ line }) => line),
      discount,
    )
    fitting.forEach(({ i }, n) => (off[i] = shares[n] ?? 0))
  }
  return off
}

export const cutsOf = (cart: CartItem[]): number[] =>
  discountLines(
    cart.map((line) => ({
      cents: lineCents(line),
      leastCents: toCents(line.product.least ?? '0') * line.quantity,
      discount: termsOf(line),
    })),
  )

export type CartCode = Pick<NonNullable<CartItem['discount']>, 'id' | 'code' | 'problem'> & { cents: number }

export function codesOf(cart: CartItem[], cuts: number[]): CartCode[] {
  const codes = new Map<string, CartCode>()
  cart.forEach(({ discount }, i) => {
    if (!discount) return
    const { id, code, problem } = discount
    codes.set(id, { id, code, problem, cents: (codes.get(id)?.cents ?? 0) + (cuts[i] ?? 0) })
  })
  return [...codes.values()]
}

function termsOf({ discount }: CartItem): DiscountTerms | null {
  if (!discount || discount.problem) return null
  const { id, percent, amount } = discount
  return { id, percent, amountCents: amount === null ? null : toCents(amount) }
}

/** Divides a discount over the lines in proportion to their room, by largest remainder, so that the cents add up. */
export function shareDiscount(lines: DiscountedLine[], { percent, amountCents }: Omit<DiscountTerms, 'id'>): number[] {
  const rooms = lines.map(({ cents, leastCents }) => Math.max(0, cents - leastCents))
  const [total, room] = [sum(lines.map(({ cents }) => cents)), sum(rooms)]
  if (room === 0) return lines.map(() => 0)
  const wanted = percent === null ? (amountCents ?? 0) : Math.round((total * percent) / 100)
  const off = Math.min(wanted, room)
  // BigInt, because the products exceed the safe integers of JavaScript
  const parts = rooms.map((one) => BigInt(one) * BigInt(off))
  const shares = parts.map((part) => Number(part / BigInt(room)))
  const rests = parts.map((part, i) => ({ i, rest: part % BigInt(room) }))
  rests.sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest < b.rest ? 1 : -1))
  for (const { i } of rests.slice(0, off - sum(shares))) shares[i] = (shares[i] ?? 0) + 1
  return shares
}

const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0)
