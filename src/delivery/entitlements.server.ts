import { type RawBuilder, sql } from 'kysely'
import { IS_DISPUTED, IS_GOING_BACK, OPEN_COPY } from '../catalogue/product.sql.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Kind } from './kindOfGoods.server.ts'

// Who may open what. A refund or a dispute of the order closes it again.

export type EntitledLine = {
  id: string
  productId: string
  fileId: string | null
  /** One copy is enough: whoever can open one already gets nothing more of it, and gives all copies away. */
  isOneEnough: boolean
}

/** Gives the buyer access to all lines of an order. Idempotent; runs in the transaction that completes the order. */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  await sql`
    INSERT INTO entitlements (order_line_id, user_id, product_id, file_id, revoked_at, given_at, is_gift)
    SELECT l.id, ${userId}::uuid, l."productId", l."fileId", CASE WHEN o.owned THEN now() END, CASE WHEN o.owned THEN now() END,
      EXISTS (SELECT FROM order_lines m WHERE m.id = l.id AND m.gift_id IS NOT NULL)
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS l (id uuid, "productId" uuid, "fileId" uuid, "isOneEnough" boolean)
    CROSS JOIN LATERAL (SELECT l."isOneEnough" AND ${opensCopy(userId, sql`l."productId"`, sql`l.id`)} AS owned) o
    ON CONFLICT (order_line_id) DO NOTHING`.execute(tx)
}

/** Whether the member can open a copy of a product that came with another line. */
export async function ownsProduct(db: Db | Tx, userId: string, productId: string, exceptLineId: string | null) {
  const { rows } = await sql<{ owned: boolean }>`
    SELECT ${opensCopy(userId, sql`${productId}::uuid`, sql`${exceptLineId}::uuid`)} AS owned`.execute(db)
  return rows[0]!.owned
}

const opensCopy = (userId: string, productId: RawBuilder<unknown>, exceptLineId: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT ${sql.raw(OPEN_COPY)} AND e.user_id = ${userId}::uuid AND e.product_id = ${productId}
    AND e.order_line_id IS DISTINCT FROM ${exceptLineId})`

/** Closes a line whose copies are all given away, or opens it again for the copy that its buyer keeps. A refund stays. */
export async function setGiven(tx: Tx, orderLineId: string, isGiven: boolean) {
  await tx
    .updateTable('entitlements')
    .set(isGiven ? { revokedAt: now, givenAt: now } : { revokedAt: null, givenAt: null })
    .where('orderLineId', '=', orderLineId)
    .where('givenAt', isGiven ? 'is' : 'is not', null)
    .$if(isGiven, (query) => query.where('revokedAt', 'is', null))
    .execute()
}

/** Revokes access to lines in the transaction that books their refund, also to those whose copies are given away. */
export async function revokeEntitlements(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('entitlements')
    .set({ revokedAt: now, givenAt: null })
    .where('orderLineId', 'in', orderLineIds)
    .where((row) => row.or([row('revokedAt', 'is', null), row('givenAt', 'is not', null)]))
    .execute()
}

type Entitlement = { id: string; isCash: boolean; delivery: Kind['name']; fileId: string | null }
/** Without `orderId` the line alone names the goods. */
type Asked = { userId: string; orderId?: string; lineId: string; delivery: Entitlement['delivery']; isProven: boolean }

export const isGoingBack = sql<boolean>`${sql.raw(IS_GOING_BACK)}`
export const isDisputed = sql<boolean>`${sql.raw(IS_DISPUTED)}`

const GOING_BACK = new Failure(
  409,
  'A refund of this order is on its way, so it can’t be opened now. If the refund isn’t made, it opens again.',
  'refund_under_way',
)
const DISPUTED = new Failure(
  409,
  'The payment of this order is disputed, so it can’t be opened now. It opens again if the dispute is decided for the store.',
  'disputed',
)

/** The entitlement to a line. Throws a Failure: 404 without one, 403 for goods as good as cash without a fresh proof, 409 in a refund or dispute. Locks the order against both. */
export async function openEntitlement(tx: Tx, asked: Asked): Promise<string> {
  await lockPaidOrder(tx, sql`l.id = ${asked.lineId}::uuid`)
  const entitlement = await lockEntitlement(tx, asked)
  if (!entitlement || !isFor(entitlement, asked)) throw new Failure(404, 'Not found')
  if (!asked.isProven && entitlement.isCash) throw proofMissing()
  // a statement of its own: it sees what the lock waited for
  const state = await tx
    .selectFrom('orders')
    .innerJoin('orderLines', 'orderLines.orderId', 'orders.id')
    .select([isGoingBack.as('isGoingBack'), isDisputed.as('isDisputed')])
    .where('orderLines.id', '=', asked.lineId)
    .executeTakeFirstOrThrow()
  if (state.isGoingBack) throw GOING_BACK
  if (state.isDisputed) throw DISPUTED
  return entitlement.id
}

/** Locks the order that paid for the gift of a line `l` against a refund and a dispute. */
export const lockPaidOrder = (tx: Tx, line: RawBuilder<unknown>) =>
  sql`SELECT FROM order_lines l JOIN gifts g ON g.id = l.gift_id JOIN order_lines b ON b.id = g.order_line_id
    JOIN orders o ON o.id = b.order_id WHERE ${line} FOR SHARE OF o`.execute(tx)

/** A licence key may have a file beside it. */
const isFor = ({ delivery, fileId }: Entitlement, asked: Asked): boolean =>
  delivery === asked.delivery || (asked.delivery === 'file' && delivery === 'license' && fileId !== null)

const lockEntitlement = (tx: Tx, { userId, orderId, lineId }: Asked): Promise<Entitlement | undefined> =>
  tx
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .innerJoin('categories', 'categories.id', 'products.categoryId')
    .select(['entitlements.id', 'entitlements.fileId', 'orderLines.delivery', 'categories.isCash'])
    .where('orderLines.id', '=', lineId)
    .$if(orderId !== undefined, (query) => query.where('orders.id', '=', orderId!))
    .where('orders.userId', '=', userId)
    .where('orders.status', '=', 'completed')
    .where('entitlements.revokedAt', 'is', null)
    .forShare('orders')
    .executeTakeFirst()
