import { type Db, now, type Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './entitlements.statements.server.ts'

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
  await statements.insertEntitlements(tx, { userId, lines: JSON.stringify(placed) })
}

export async function ownsProduct(db: Db | Tx, userId: string, productId: string, exceptLineId: string | null) {
  return only(await statements.ownsProduct(db, { userId, productId, exceptLineId })).isOwned
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
