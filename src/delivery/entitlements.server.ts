import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { voidCodes } from './codes.server.ts'

export type EntitledLine = { id: string; productId: string; fileId: string | null }

/** Gives the buyer access to every line of an order, once. Called inside the transaction that completes it. */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  await tx
    .insertInto('entitlements')
    .values(lines.map(({ id, productId, fileId }) => ({ orderLineId: id, userId, productId, fileId })))
    .onConflict((conflict) => conflict.column('orderLineId').doNothing())
    .execute()
}

/** Takes access away, in the transaction that marks the order refunded. */
export async function revokeEntitlements(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('entitlements')
    .set({ revokedAt: sql`now()` })
    .where('orderLineId', 'in', orderLineIds)
    .where('revokedAt', 'is', null)
    .execute()
  await voidCodes(tx, orderLineIds)
}

export type Entitlement = { id: string; delivery: 'file' | 'code'; orderLineId: string }

/** What the caller holds for a line of a completed order of theirs; undefined for everything else. */
export const findEntitlement = (
  db: Db,
  where: { userId: string; orderId: string; lineId: string },
): Promise<Entitlement | undefined> =>
  db
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .select(['entitlements.id', 'orderLines.delivery', 'entitlements.orderLineId'])
    .where('orderLines.id', '=', where.lineId)
    .where('orders.id', '=', where.orderId)
    .where('orders.userId', '=', where.userId)
    .where('orders.status', '=', 'completed')
    .where('entitlements.revokedAt', 'is', null)
    .executeTakeFirst()
