import { type RawBuilder, sql } from 'kysely'
import { proofMissing } from '../kit/contract.ts'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Kind } from './kindOfGoods.server.ts'

// Who may open what. A refund or a dispute of the order closes it again.

export type EntitledLine = {
  id: string
  productId: string
  fileId: string | null
  /** One copy is enough: whoever has the product already gets nothing more of it, and gives all copies away. */
  isOneEnough: boolean
}

/** Gives the buyer access to all lines of an order. Idempotent; runs in the transaction that completes the order. */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  await sql`
    INSERT INTO entitlements (order_line_id, user_id, product_id, file_id, revoked_at, given_at)
    SELECT l.id, ${userId}::uuid, l."productId", l."fileId", CASE WHEN o.owned THEN now() END, CASE WHEN o.owned THEN now() END
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS l (id uuid, "productId" uuid, "fileId" uuid, "isOneEnough" boolean)
    CROSS JOIN LATERAL (SELECT l."isOneEnough" AND EXISTS (SELECT FROM entitlements e
      WHERE e.user_id = ${userId}::uuid AND e.product_id = l."productId" AND e.revoked_at IS NULL AND e.order_line_id <> l.id) AS owned) o
    ON CONFLICT (order_line_id) DO NOTHING`.execute(tx)
}

/** Whether the member can open a copy of a product that came with another line. */
export async function ownsProduct(tx: Db | Tx, userId: string, productId: string, exceptLineId: string | null) {
  const owned = await tx
    .selectFrom('entitlements')
    .select('id')
    .where('userId', '=', userId)
    .where('productId', '=', productId)
    .where('revokedAt', 'is', null)
    .$if(exceptLineId !== null, (query) => query.where('orderLineId', '<>', exceptLineId!))
    .limit(1)
    .executeTakeFirst()
  return owned !== undefined
}

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

/** Revokes access to lines in the transaction that books their refund. */
export async function revokeEntitlements(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('entitlements')
    .set({ revokedAt: now })
    .where('orderLineId', 'in', orderLineIds)
    .where('revokedAt', 'is', null)
    .execute()
}

type Entitlement = { id: string; isCash: boolean; delivery: Kind['name']; fileId: string | null }
/** Without `orderId` the line alone names the goods. */
type Asked = { userId: string; orderId?: string; lineId: string; delivery: Entitlement['delivery']; isProven: boolean }

/** What holds for the line `order_lines` of `orders` as bought, and for a gift as it was bought by its giver. */
const alsoForGifts = (rule: (order: string, line: string) => string) => `(${rule('orders', 'order_lines')}
  OR EXISTS (SELECT FROM gifts gift JOIN order_lines bought ON bought.id = gift.order_line_id JOIN orders paid ON paid.id = bought.order_id
    WHERE gift.id = order_lines.gift_id AND ${rule('paid', 'bought')}))`

/** All of the order is being refunded, or all copies of the line: closed until the refund is made or rejected. */
export const IS_GOING_BACK = alsoForGifts(
  (order, line) => `(EXISTS (
  SELECT FROM payments p WHERE p.order_id = ${order}.id AND p.status IN ('captured', 'part_refunded')
  AND ${order}.total_cents <= (
    SELECT sum(r.amount_cents + r.credit_cents) FROM refunds r WHERE r.payment_id = p.id AND r.status IN ('requested', 'completed'))
  -- a refund of lines leaves what cost nothing
  AND (EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'requested'
      AND NOT EXISTS (SELECT FROM refund_lines n WHERE n.refund_id = r.id))
    OR NOT EXISTS (SELECT FROM order_lines g WHERE g.order_id = ${order}.id AND g.price_cents * g.quantity = g.discount_cents)))
  OR EXISTS (SELECT FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
    WHERE n.order_line_id = ${line}.id AND r.status = 'requested'
    AND ${line}.quantity <= (SELECT sum(m.quantity) FROM refund_lines m JOIN refunds s ON s.id = m.refund_id
      WHERE m.order_line_id = ${line}.id AND s.status IN ('requested', 'completed'))))`,
)
export const isGoingBack = sql<boolean>`${sql.raw(IS_GOING_BACK)}`

/** The buyer disputes the payment at the provider: closed until the dispute ends. */
export const IS_DISPUTED = alsoForGifts(
  (order) => `EXISTS (
  SELECT FROM disputes d WHERE d.order_id = ${order}.id AND d.ended_at IS NULL)`,
)
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
