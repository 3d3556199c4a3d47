import type pg from 'pg'
import { chosenProblem } from '../catalogue/price/choice.rules.ts'
import { MAX_CHOSEN_CENTS } from '../catalogue/price.rules.ts'
import { codeOf } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle } from '../kit/handle.server.ts'
import { toCents } from '../kit/money.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import {
  addToCart,
  clearCart,
  getCart,
  MAX_CART_LINES,
  MAX_QUANTITY,
  removeFromCart,
  setCartQuantity,
} from './cart.contract.ts'
import * as statements from './cart.statements.server.ts'
import { FULL, readCart, toCart } from './cart.store.server.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const cartRoutes = [
  handle(getCart, (_, { user, pool }) => readCart(pool, user.id)),

  handle(addToCart, { limits }, async ({ productId, quantity, price, addedAt = null }, { user, pool }) => {
    const line = { userId: user.id, productId, quantity, chosenCents: centsOf(price), addedAt }
    const change = statements.addLine(pool, { ...line, maxCents: MAX_CHOSEN_CENTS, maxLines: MAX_CART_LINES })
    const [added, rows] = await readAfter(pool, user.id, change)
    if (added?.hasVariants) throw CHOOSE
    if (!added?.isOnSale) throw new Failure(404, 'Product not found')
    if (!added.isAllowed) throw wrongPrice(price, added.minCents)
    if (!added.isAdded) throw FULL
    return toCart(pool, user.id, rows)
  }),

  handle(setCartQuantity, { limits }, async ({ id, quantity, price }, { user, pool }) => {
    const line = { userId: user.id, id, quantity, chosenCents: centsOf(price) }
    const change = statements.setQuantity(pool, { ...line, maxCents: MAX_CHOSEN_CENTS })
    const [found, rows] = await readAfter(pool, user.id, change)
    if (!found) throw new Failure(404, 'Not found')
    if (!found.isAllowed) throw wrongPrice(price, found.minCents)
    return toCart(pool, user.id, rows)
  }),

  handle(removeFromCart, { limits }, async ({ id }, { user, pool }) => {
    const [deleted, rows] = await readAfter(pool, user.id, statements.deleteLine(pool, { userId: user.id, id }))
    if (!deleted) throw new Failure(404, 'Not found')
    return toCart(pool, user.id, rows)
  }),

  handle(clearCart, { limits }, async (_, { user, db }) => {
    await db.deleteFrom('cartItems').where('userId', '=', user.id).execute()
    return []
  }),
]

/** Rejects a product that is only sold as a variant. */
export const CHOOSE = new Failure(409, 'Choose a variant on the page of the product first.', 'variant_missing')

const centsOf = (price: string | undefined) => (price === undefined ? null : toCents(price))

const wrongPrice = (price: string | undefined, minCents: number | null) =>
  new Failure(
    409,
    `${chosenProblem(price ?? '', minCents ?? 0) ?? 'This price is no longer possible'}.`,
    'under_minimum',
  )

/** Returns the row of a change and the cart after it. Both statements share a round trip, in this order. */
async function readAfter<Row>(pool: pg.Pool, userId: string, change: Promise<Row[]>) {
  const [[changed], rows] = await Promise.all([refuseTooMany(change), statements.readCart(pool, { userId })])
  return [changed, rows] as const
}

const [CHECK_VIOLATION, OUT_OF_RANGE] = ['23514', '22003']

async function refuseTooMany<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (![CHECK_VIOLATION, OUT_OF_RANGE].includes(codeOf(error))) throw error
    throw new Failure(409, `At most ${MAX_QUANTITY.toLocaleString('en')} of one product.`, 'too_many_of_one')
  }
}
