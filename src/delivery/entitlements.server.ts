import { sql } from 'kysely'
import { proofMissing } from '../kit/contract.ts'
import { now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Kind } from './kindOfGoods.server.ts'

// Who may open what. A refund or a dispute of the order closes it again.

export type EntitledLine = { id: string; productId: string; fileId: string | null }

/** Gives the buyer access to all lines of an order. Idempotent; runs in the transaction that completes the order. */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  await tx
    .insertInto('entitlements')
    .values(lines.map(({ id, productId, fileId }) => ({ orderLineId: id, userId, productId, fileId })))
    .onConflict((conflict) => conflict.column('orderLineId').doNothing())
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
type Asked = { userId: string; orderId: string; lineId: string; delivery: Entitlement['delivery']; isProven: boolean }

/** All of `orders` is being refunded, or all copies of the line `order_lines`: closed until the refund is made or rejected. */
export const IS_GOING_BACK = `(EXISTS (
  SELECT FROM payments p WHERE p.order_id = orders.id AND p.status IN ('captured', 'part_refunded')
  AND orders.total_cents <= (
    SELECT sum(r.amount_cents + r.credit_cents) FROM refunds r WHERE r.payment_id = p.id AND r.status IN ('requested', 'completed'))
  -- a refund of lines leaves what cost nothing
  AND (EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'requested'
      AND NOT EXISTS (SELECT FROM refund_lines n WHERE n.refund_id = r.id))
    OR NOT EXISTS (SELECT FROM order_lines g WHERE g.order_id = orders.id AND g.price_cents * g.quantity = g.discount_cents)))
  OR EXISTS (SELECT FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
    WHERE n.order_line_id = order_lines.id AND r.status = 'requested'
    AND order_lines.quantity <= (SELECT sum(m.quantity) FROM refund_lines m JOIN refunds s ON s.id = m.refund_id
      WHERE m.order_line_id = order_lines.id AND s.status IN ('requested', 'completed'))))`
export const isGoingBack = sql<boolean>`${sql.raw(IS_GOING_BACK)}`

/** The buyer disputes the payment of `orders` at the provider: closed until the dispute ends. */
export const IS_DISPUTED = `EXISTS (
  SELECT FROM disputes d WHERE d.order_id = orders.id AND d.ended_at IS NULL)`
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
    .where('orders.id', '=', orderId)
    .where('orders.userId', '=', userId)
    .where('orders.status', '=', 'completed')
    .where('entitlements.revokedAt', 'is', null)
    .forShare('orders')
    .executeTakeFirst()
