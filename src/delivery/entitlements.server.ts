import { type Db, now, type Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './entitlements.statements.server.ts'

// Access of buyers to goods. A refund or a dispute of the order revokes or locks it.

export type EntitledLine = {
  id: string
  productId: string
  fileId: string | null
  bundleId?: string | null
  /** The owner of one copy needs no second one, so all further copies become gifts. */
  isOneEnough: boolean
}

/**
 * Grants the buyer access to all lines of an order. If one copy of a product is enough, the first bundle's copy opens
 * and the others become gifts. Idempotent; runs in the transaction that completes the order.
 */
export async function entitle(tx: Tx, userId: string, lines: EntitledLine[]) {
  const placed = lines.map((line, place) => ({ ...line, place }))
  await statements.insertEntitlements(tx, { userId, lines: JSON.stringify(placed) })
}

export async function ownsProduct(db: Db | Tx, userId: string, productId: string, exceptLineId: string | null) {
  return only(await statements.ownsProduct(db, { userId, productId, exceptLineId })).isOwned
}

/** Closes a line whose copies are all given away, or reopens it for a retained copy. A refund stays. */
export async function setGiven(tx: Tx, orderLineId: string, isGiven: boolean) {
  await tx
    .updateTable('entitlements')
    .set(isGiven ? { revokedAt: now, givenAt: now } : { revokedAt: null, givenAt: null })
    .where('orderLineId', '=', orderLineId)
    .where('givenAt', isGiven ? 'is' : 'is not', null)
    .$if(isGiven, (query) => query.where('revokedAt', 'is', null))
    .execute()
}

/** Revokes access to lines, including given copies, in the transaction that books their refund. */
export async function revokeEntitlements(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('entitlements')
    .set({ revokedAt: now, givenAt: null })
    .where('orderLineId', 'in', orderLineIds)
    .where((row) => row.or([row('revokedAt', 'is', null), row('givenAt', 'is not', null)]))
    .execute()
}
