import { hash } from 'node:crypto'
import { CHOOSE } from '../cart/cart.server.ts'
import { takeCart } from '../cart/cart.store.server.ts'
import { fits } from '../cart/discounts/discount.rules.ts'
import {
  claimUses,
  type DiscountUse,
  findDiscounts,
  isDiscounted,
  type LockedDiscount,
  lockDiscounts,
  UNFIT,
} from '../cart/discounts/discount.store.server.ts'
import { describeProblem } from '../cart/discounts/problem.rules.ts'
import { MAX_CART_LINES, MAX_QUANTITY } from '../cart/cart.contract.ts'
import { type Buyable, findBuyable } from '../catalogue/catalogue.server.ts'
import { MAX_CHOSEN_CENTS } from '../catalogue/price.rules.ts'
import type { Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { toDecimal } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { findPlaced, insertOrder } from '../orders/orders.store.server.ts'
import { findUnpaidTwin } from './quickBuy/unpaidTwin.server.ts'
import { heldCents } from '../payments/bonus.server.ts'
import { CREDIT } from '../payments/credit.contract.ts'
import { anyOf, creditTowards } from '../payments/credit.rules.ts'
import { CREDIT_CHANGED, needCredit, readSpendable } from '../payments/credit.server.ts'
import { paidCents } from '../payments/line.rules.ts'
import { findParts, freezeLines, isWhole } from './bundles/bundle.server.ts'
import { FREE_METHOD, refuseSecondCopies } from './free.server.ts'
import {
  mergeLines,
  type PricedLine,
  type Pricing,
  priceOrder,
  type ConfirmedCart,
  type WantedLine,
} from './place.rules.ts'

export type Placing = {
  userId: string
  key: string
  items: WantedLine[] | null
  code?: string | undefined
  seen: ConfirmedCart
  paymentMethod: string
  /** Cents of store credit to use; 'whole' uses credit only if it covers the total. */
  credit: number | 'whole'
  /** A direct purchase reuses a pending order with the same content. */
  goesOn?: boolean
}
const FAILED = new Failure(409, 'The order didn’t go through, and nothing was charged.', 'order_failed')

/** A bundle counts as its parts. */
const TOO_MANY = new Failure(
  409,
  `An order can hold up to ${MAX_CART_LINES} products, also those in bundles. Please take something out.`,
  'too_large',
)

/** `isCovered`: store credit pays the total, so no provider is needed. `isFree`: the total is zero. */
export type Placed = {
  orderId: string
  isNew: boolean
  isCovered: boolean
  isFree: boolean
  toPay?: { dueCents: number; lines: PricedLine[] }
}

/** Step 1: places an order with frozen lines. A repeated key returns its order, 409 if failed, 422 if different. */
export async function place(tx: Tx, placing: Placing): Promise<Placed> {
  const requestHash = hashOf(placing)
  const known = await findRepeated(tx, placing, requestHash)
  if (known) return known

  const taken = placing.items ? null : await takeCart(tx, placing.userId)
  const wanted = taken?.lines ?? mergeLines(placing.items!)
  checkQuantities(wanted)
  const ids = wanted.map(({ productId }) => productId)
  const products = taken?.lines.map(({ product }) => product) ?? (await findBuyable(tx, ids))
  const { userId } = placing
  const discounts = await lockDiscounts(tx, taken?.discountIds ?? (await findCode(tx, placing, products)), userId)
  const byId = new Map(products.map((product) => [product.id, product]))
  if (wanted.some(({ productId }) => byId.get(productId)?.hasVariants)) throw CHOOSE
  const parts = await findParts(tx, products)
  const offered = products.map((one) => ({ ...one, isOnSale: one.isOnSale && isWhole(parts.get(one.id)) }))
  const freeze = (priced: PricedLine[]) => freezeLines(priced, byId, parts)
  const twinOf = (lines: ReturnType<typeof freeze>, creditCents: number) =>
    placing.items && placing.goesOn ? findUnpaidTwin(tx, userId, lines, creditCents) : undefined
  const holding = discounts.filter(({ problem }) => problem === null)
  const pricing = priceOrder(wanted, offered, placing.seen, holding)
  if (pricing.kind !== 'priced') {
    const over = discounts.find(({ problem }) => problem !== null)
    const before = over && priceOrder(wanted, offered, placing.seen, discounts)
    if (before?.kind !== 'priced' || pricing.kind !== 'price_changed') throw refusalOf(pricing, placing.items !== null)
    // the buyer's own pending order may hold the last use of the code
    const open = await twinOf(freeze(before.lines), Number(placing.credit))
    if (open) return { orderId: open, isNew: false, isCovered: false, isFree: false }
    const why = `${describeProblem(over!.code, over!.problem!)} Please look at the new total.`
    throw new Failure(409, why, 'discount_over', { details: newPrices(pricing.lines, pricing.totalCents) })
  }
  await refuseSecondCopies(tx, userId, pricing.lines)
  const lines = inOrderOf(taken?.lines, freeze(pricing.lines))
  if (lines.length > MAX_CART_LINES) throw TOO_MANY
  const cashCents = pricing.lines
    .filter(({ productId }) => byId.get(productId)!.isCash)
    .reduce((sum, line) => sum + paidCents(line), 0)
  const creditCents = await creditFor(tx, placing, pricing.totalCents, cashCents)
  const ways = waysOf({ creditCents, totalCents: pricing.totalCents })
  const open = await twinOf(lines, creditCents)
  if (open) return { orderId: open, isNew: false, ...ways }
  const orderId = await insertOrder(tx, {
    userId,
    checkoutKey: placing.key,
    requestHash,
    source: placing.items ? 'product' : 'cart',
    totalCents: pricing.totalCents,
    creditCents,
    paymentMethod: methodFor(placing, ways),
    lines,
  })
  if (lines.some(isDiscounted)) await claimUses(tx, { id: orderId, userId }, usesOf(holding, pricing.lines, byId))
  if (creditCents > 0) await needCredit(tx, { id: orderId, userId, creditCents })
  return { orderId, isNew: true, ...ways, toPay: { dueCents: pricing.totalCents - creditCents, lines } }
}

async function findRepeated(tx: Tx, { userId, key }: Placing, requestHash: string): Promise<Placed | null> {
  const known = await findPlaced(tx, userId, key)
  if (!known) return null
  if (known.requestHash !== requestHash)
    throw new Failure(422, 'This idempotency key was used for another request.', 'key_reused')
  if (known.status === 'failed') throw FAILED
  return { orderId: known.id, isNew: false, ...waysOf(known) }
}

function checkQuantities(wanted: { quantity: number }[]) {
  if (wanted.length === 0) throw new Failure(409, 'Your cart is empty', 'cart_empty')
  if (wanted.some(({ quantity }) => quantity > MAX_QUANTITY))
    throw new Failure(400, `At most ${MAX_QUANTITY} of one product.`)
}

const methodFor = ({ paymentMethod }: Placing, { isFree, isCovered }: ReturnType<typeof waysOf>) =>
  isFree ? FREE_METHOD : isCovered ? CREDIT : paymentMethod

const waysOf = ({ creditCents, totalCents }: { creditCents: number; totalCents: number }) => ({
  isCovered: totalCents > 0 && creditCents === totalCents,
  isFree: totalCents === 0,
})

/** Finds a discount code. Throws a 404 Failure if it applies to no product of the direct purchase. */
async function findCode(tx: Tx, { code }: Placing, products: Buyable[]): Promise<string[]> {
  if (code === undefined) return []
  const ids = await findDiscounts(tx, code, products)
  if (ids.length === 0) throw UNFIT
  return ids
}

const usesOf = (discounts: LockedDiscount[], lines: PricedLine[], byId: Map<string, Buyable>): DiscountUse[] =>
  discounts.flatMap((discount) => {
    const fitting = lines.filter(({ productId }) => fits(discount, byId.get(productId)!))
    const amountCents = fitting.reduce((sum, line) => sum + line.discountCents, 0)
    const paid = fitting.reduce((sum, line) => sum + paidCents(line), 0)
    return amountCents === 0 ? [] : [{ id: discount.id, code: discount.code, amountCents, paidCents: paid }]
  })

/** Calculates the cents that credit pays, at most the total. A held bonus cannot pay for cash-like goods. */
async function creditFor(tx: Tx, { userId, credit }: Placing, totalCents: number, cashCents: number): Promise<number> {
  if (credit === 0) return 0
  // read the balance first: a bonus earned after it is then counted as held
  const spendable = await readSpendable(tx, userId)
  const held = cashCents > 0 ? await heldCents(tx, userId) : 0
  const most = creditTowards(totalCents, spendable, { cashCents, heldCents: held })
  if (credit === 'whole') return most === totalCents ? totalCents : 0
  if (credit > totalCents) throw CREDIT_CHANGED
  if (credit > most) throw credit > spendable ? CREDIT_CHANGED : await bonusHeld(tx)
  return credit
}

/** Builds the Failure with the names of the cash-like categories. */
async function bonusHeld(tx: Tx): Promise<Failure> {
  const cash = await tx.selectFrom('categories').select('name').where('isCash', '=', true).orderBy('position').execute()
  const names = anyOf(cash.map(({ name }) => name))
  const message = `Your first-purchase bonus doesn’t pay for ${names} yet. Please look at the new sum.`
  return new Failure(409, message, 'bonus_held')
}

const hashOf = ({ items, code, seen, paymentMethod, credit }: Placing): string =>
  hash('sha256', JSON.stringify([items, seen, paymentMethod, credit, ...(code ? [code] : [])]), 'base64url')

/** `isDirect`: the purchase does not use the cart. */
function refusalOf(pricing: Exclude<Pricing, { kind: 'priced' }>, isDirect: boolean): Failure {
  if (pricing.kind === 'unavailable') {
    const { productIds } = pricing
    const message = isDirect
      ? `${productIds.length === 1 ? 'This product is' : 'These products are'} no longer for sale. Nothing was charged.`
      : 'A product in your cart is no longer for sale. Remove it to go on.'
    return new Failure(409, message, 'unavailable', { details: { productIds } })
  }
  if (pricing.kind === 'under_minimum') {
    const { title, leastCents } = pricing
    const message = `${title} costs ${usd(leastCents)} at least, and ${usd(MAX_CHOSEN_CENTS)} at most.`
    return new Failure(409, message, 'under_minimum', { details: { least: toDecimal(leastCents) } })
  }
  if (pricing.kind === 'too_large') {
    return new Failure(
      409,
      'An order can be at most $9,999,999.99. Please take something out of your cart.',
      'too_large',
    )
  }
  if (pricing.kind === 'cart_changed')
    return new Failure(409, 'Your cart has changed. Please review it.', 'cart_changed')
  return new Failure(409, 'A price has changed. Please look at the new total.', 'price_changed', {
    details: newPrices(pricing.lines, pricing.totalCents),
  })
}

/** Sorts the lines in cart order. The products were locked in another order. */
function inOrderOf<L extends { productId: string; bundleId: string | null }>(
  cart: { productId: string; addedAt: Date }[] | undefined,
  lines: L[],
): L[] {
  const places = new Map(cart?.map(({ productId, addedAt }) => [productId, addedAt.getTime()]))
  const placeOf = ({ productId, bundleId }: L) => places.get(bundleId ?? productId) ?? 0
  return lines.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const newPrices = (lines: PricedLine[], totalCents: number) => ({
  total: toDecimal(totalCents),
  items: lines.map(({ productId, quantity, priceCents }) => ({ productId, quantity, price: toDecimal(priceCents) })),
})
