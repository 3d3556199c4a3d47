import { type RawBuilder, sql } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'

// Who may open what. A refund or a dispute of the order closes it again.

export type EntitledLine = {
  id: string
  productId: string
  fileId: string | null
  bundleId?: string | null
  /** One copy is enough: whoever can open one already gets nothing more of it, and gives all copies away. */
  isOneEnough: boolean
}

/**
 * Grants the buyer access to all lines of an order. If several lines contain a product of which one copy is enough, the buyer gets
 * the copy of the first bundle, and the others become gifts. Idempotent; runs in the transaction that completes the order.
 */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  const placed = lines.map((line, place) => ({ ...line, place }))
  await sql`
    INSERT INTO entitlements (order_line_id, user_id, product_id, file_id, revoked_at, given_at, is_gift)
    SELECT l.id, ${userId}::uuid, l."productId", l."fileId", CASE WHEN o.owned THEN now() END, CASE WHEN o.owned THEN now() END,
      EXISTS (SELECT FROM order_lines m WHERE m.id = l.id AND m.gift_id IS NOT NULL)
    FROM (SELECT *, row_number() OVER (PARTITION BY "productId" ORDER BY "bundleId" IS NULL, place) AS copy
      FROM json_to_recordset(${JSON.stringify(placed)}::json)
        AS x (id uuid, "productId" uuid, "fileId" uuid, "bundleId" uuid, "isOneEnough" boolean, place int)) l
    CROSS JOIN LATERAL (SELECT l."isOneEnough" AND (l.copy > 1 OR ${opensCopy(userId, sql`l."productId"`, sql`l.id`)}) AS owned) o
    ON CONFLICT (order_line_id) DO NOTHING`.execute(tx)
}

export async function ownsProduct(db: Db | Tx, userId: string, productId: string, exceptLineId: string | null) {
  const { rows } = await sql<{ owned: boolean }>`
    SELECT ${opensCopy(userId, sql`${productId}::uuid`, sql`${exceptLineId}::uuid`)} AS owned`.execute(db)
  return only(rows).owned
}

const opensCopy = (userId: string, productId: RawBuilder<unknown>, exceptLineId: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM open_copy o WHERE o.user_id = ${userId}::uuid AND o.product_id = ${productId}
    AND o.order_line_id IS DISTINCT FROM ${exceptLineId})`

export const opensCopyOfLine = (userId: string, lineId: string) =>
  sql<boolean>`EXISTS (SELECT FROM open_copy o WHERE o.user_id = ${userId}::uuid AND o.order_line_id = ${lineId}::uuid)`

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

export const isGoingBack = sql<boolean>`(SELECT is_going_back FROM line_standing WHERE order_line_id = order_lines.id)`
export const isDisputed = sql<boolean>`(SELECT is_disputed FROM line_standing WHERE order_line_id = order_lines.id)`
