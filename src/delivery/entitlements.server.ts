import { sql } from 'kysely'
import { proofMissing } from '../kit/contract.ts'
import { now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { voidCodes } from './codes.server.ts'

export type EntitledLine = { id: string; productId: string; fileId: string | null }

/** Gives the buyer access to all lines of an order. Idempotent; runs in the transaction that completes the order. */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  await tx
    .insertInto('entitlements')
    .values(lines.map(({ id, productId, fileId }) => ({ orderLineId: id, userId, productId, fileId })))
    .onConflict((conflict) => conflict.column('orderLineId').doNothing())
    .execute()
}

/** Revokes access in the transaction that marks the order as refunded. */
export async function revokeEntitlements(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('entitlements')
    .set({ revokedAt: now })
    .where('orderLineId', 'in', orderLineIds)
    .where('revokedAt', 'is', null)
    .execute()
  await voidCodes(tx, orderLineIds)
}

type Entitlement = { id: string; isCash: boolean; delivery: 'file' | 'code' }
type Asked = { userId: string; orderId: string; lineId: string; delivery: Entitlement['delivery']; isProven: boolean }

/** A full refund of `orders` is under way: its goods stay closed until the refund is made or rejected. */
export const isGoingBack = sql<boolean>`EXISTS (
  SELECT FROM payments p WHERE p.order_id = orders.id AND p.status IN ('captured', 'part_refunded')
  AND p.amount_cents <= (
    SELECT sum(r.amount_cents) FROM refunds r WHERE r.payment_id = p.id AND r.status IN ('requested', 'completed')))`

const GOING_BACK = new Failure(
  409,
  'A refund of this order is on its way, so it can’t be opened now. If the refund isn’t made, it opens again.',
  'refund_under_way',
)

/** The entitlement to a line. Throws a Failure: 404 without one, 403 for goods as good as cash without a fresh proof, 409 in a full refund. Locks the order against one. */
export async function openEntitlement(tx: Tx, asked: Asked): Promise<string> {
  const entitlement = await lockEntitlement(tx, asked)
  if (entitlement?.delivery !== asked.delivery) throw new Failure(404, 'Not found')
  if (!asked.isProven && entitlement.isCash) throw proofMissing()
  const order = tx.selectFrom('orders').select(isGoingBack.as('isGoingBack')).where('id', '=', asked.orderId)
  if ((await order.executeTakeFirstOrThrow()).isGoingBack) throw GOING_BACK
  return entitlement.id
}

const lockEntitlement = (tx: Tx, { userId, orderId, lineId }: Asked): Promise<Entitlement | undefined> =>
  tx
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .innerJoin('categories', 'categories.id', 'products.categoryId')
    .select(['entitlements.id', 'orderLines.delivery', 'categories.isCash'])
    .where('orderLines.id', '=', lineId)
    .where('orders.id', '=', orderId)
    .where('orders.userId', '=', userId)
    .where('orders.status', '=', 'completed')
    .where('entitlements.revokedAt', 'is', null)
    .forShare('orders')
    .executeTakeFirst()
