import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { DiscountProblem } from '../cart.contract.ts'
import type { Discounted, OfferedDiscount } from './discount.rules.ts'

// Uses of codes by orders. Locks of codes come after those of the order, its payments and its goods, and before store credit.

export type LockedDiscount = OfferedDiscount & { code: string; problem: DiscountProblem | null }

/** A claim: `paidCents` is what the order pays for the products that the code fits. */
export type DiscountUse = { id: string; code: string; amountCents: number; paidCents: number }

/** The codes, locked until the transaction ends, so that the last use goes to one order. */
export async function lockDiscounts(tx: Tx, ids: string[], buyerId: string): Promise<LockedDiscount[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LockedDiscount>`SELECT * FROM lock_discounts(${ids}::uuid[], ${buyerId}::uuid)`.execute(tx)
  return rows
}

/** One answer for a code that does not exist, of another seller, or for other products. */
export const UNFIT = new Failure(404, 'This code doesn’t fit anything here. Check how it is written.', 'discount_unfit')

/** The codes written so that fit one of the products. */
export async function findDiscounts(tx: Tx, code: string, products: Discounted[]) {
  const ids = products.flatMap(({ id, variantOf }) => (variantOf ? [id, variantOf] : [id]))
  const sellerIds = products.map(({ sellerId }) => sellerId)
  const { rows } = await sql<{ id: string }>`SELECT id FROM discounts d
    WHERE code = ${code} AND seller_id = ANY (${sellerIds}::uuid[]) AND (is_for_all OR EXISTS (
      SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id = ANY (${ids}::uuid[])))`.execute(tx)
  return rows.map(({ id }) => id)
}

export const isDiscounted = ({ discountCents }: { discountCents: number }): boolean => discountCents > 0

/** Counts the uses of a new order. Its codes are locked. */
export async function claimUses(tx: Tx, order: { id: string; userId: string }, uses: DiscountUse[]) {
  await sql`WITH claimed AS (
      INSERT INTO discount_uses (order_id, discount_id, user_id, code, amount_cents, paid_cents)
      SELECT ${order.id}::uuid, u.id, ${order.userId}::uuid, u.code, u."amountCents", u."paidCents"
      FROM json_to_recordset(${JSON.stringify(uses)}::json)
        AS u (id uuid, code text, "amountCents" bigint, "paidCents" bigint)
      RETURNING discount_id)
    UPDATE discounts SET uses = uses + 1 WHERE id IN (SELECT discount_id FROM claimed)`.execute(tx)
}

/** Returns the uses of an order that fails, and with `isFromCart` its codes to the cart. */
export async function returnUses(tx: Tx, orderId: string, { isFromCart }: { isFromCart: boolean }) {
  // the cart before the codes, as when an order is placed; a code that the buyer entered meanwhile stays
  const { rows } = await sql<{ id: string }>`WITH returned AS (
      UPDATE discount_uses SET returned_at = now() WHERE order_id = ${orderId}::uuid AND returned_at IS NULL
      RETURNING discount_id AS id, user_id),
    kept AS (
      INSERT INTO cart_discounts (user_id, seller_id, discount_id)
      SELECT r.user_id, d.seller_id, d.id FROM returned r JOIN discounts d USING (id) WHERE ${isFromCart}
      ON CONFLICT DO NOTHING)
    SELECT id FROM returned`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`UPDATE discounts SET uses = uses - 1 WHERE id IN (
    SELECT id FROM discounts WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE)`.execute(tx)
}

/** Dates and a pause do not matter to an order that was placed in time. */
const LIMITS = new Set<DiscountProblem | null>(['used_up', 'spent', 'not_first'])

/** Claims the uses of a failed order again, because its money arrived late. False if the codes allow no more. */
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
  await sql`WITH claimed AS (
      UPDATE discount_uses SET returned_at = NULL WHERE order_id = ${order.id}::uuid RETURNING discount_id)
    UPDATE discounts SET uses = uses + 1 WHERE id = ANY (${ids}::uuid[])`.execute(tx)
  return true
}

/** What the codes of an order took off, for its receipt. */
export const discountsOf = (db: Db | Tx, orderId: string) =>
  db.selectFrom('discountUses').select(['code', 'amountCents']).where('orderId', '=', orderId).orderBy('code').execute()
