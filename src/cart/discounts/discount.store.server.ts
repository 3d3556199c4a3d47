import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { DiscountProblem } from '../cart.contract.ts'
import type { Discounted, OfferedDiscount } from './discount.rules.ts'
import * as statements from './discount.statements.server.ts'

// Uses of codes by orders. Lock order: order, payments, goods, codes, store credit.

export type LockedDiscount = OfferedDiscount & { code: string; problem: DiscountProblem | null }

/** A use of a code. `paidCents` is the amount that the order pays for the products that the code fits. */
export type DiscountUse = { id: string; code: string; amountCents: number; paidCents: number }

/** Locks codes until the transaction ends, so that only one order gets the last use. */
export const lockDiscounts = async (tx: Tx, ids: string[], buyerId: string): Promise<LockedDiscount[]> =>
  ids.length === 0 ? [] : statements.lockDiscounts(tx, { ids, buyerId })

/** The same error for an unknown code, a code of another seller and a code for other products. */
export const UNFIT = new Failure(404, 'This code doesn’t fit anything here. Check how it is written.', 'discount_unfit')

export async function findDiscounts(tx: Tx, code: string, products: Discounted[]) {
  const found = await statements.findByCode(tx, {
    code,
    productIds: products.flatMap(({ id, variantOf }) => (variantOf ? [id, variantOf] : [id])),
    sellerIds: products.map(({ sellerId }) => sellerId),
  })
  return found.map(({ id }) => id)
}

export const isDiscounted = ({ discountCents }: { discountCents: number }): boolean => discountCents > 0

/** Counts the uses of a new order. Its codes must be locked. */
export async function claimUses(tx: Tx, order: { id: string; userId: string }, uses: DiscountUse[]) {
  await statements.claimUses(tx, { orderId: order.id, userId: order.userId, uses: JSON.stringify(uses) })
}

/** Releases the uses of a failed order, and with `isFromCart` restores its codes in the cart. */
export async function returnUses(tx: Tx, orderId: string, { isFromCart }: { isFromCart: boolean }) {
  const returned = await statements.returnUses(tx, { orderId, isFromCart })
  await statements.uncountUses(tx, { ids: returned.map(({ id }) => id) })
}

/** Problems that reject a late payment. Dates and pauses do not apply, because the order was placed in time. */
const LIMITS = new Set<DiscountProblem | null>(['used_up', 'spent', 'not_first'])

/** Counts the uses of a failed order again after a late payment. Returns false if a code has no uses left. */
export async function claimAgain(tx: Tx, order: { id: string; userId: string }): Promise<boolean> {
  const uses = await tx
    .selectFrom('discountUses')
    .select('discountId')
    .where('orderId', '=', order.id)
    .where('returnedAt', 'is not', null)
    .execute()
  const ids = uses.map(({ discountId }) => discountId)
  const locked = await lockDiscounts(tx, ids, order.userId)
  if (locked.some(({ problem }) => LIMITS.has(problem))) return false
  await statements.claimAgain(tx, { orderId: order.id, ids })
  return true
}

/** Returns the codes of an order with their discounts, for its receipt. */
export const discountsOf = (db: Db | Tx, orderId: string) =>
  db.selectFrom('discountUses').select(['code', 'amountCents']).where('orderId', '=', orderId).orderBy('code').execute()
