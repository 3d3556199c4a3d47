import type { Db, Tx } from '../kit/database.server.ts'
import { IS_RECORDED_EACH_TIME, type Use } from './uses.rules.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './events.statements.server.ts'

type Used = { entitlementId: string; userId: string; kind: Use; ip: string }

/** Records a use of goods. Records every reveal of a secret, and any other use once a day. */
export async function recordUse(tx: Tx, used: Used) {
  await statements.insertUse(tx, { ...used, isRecordedEachTime: IS_RECORDED_EACH_TIME.has(used.kind) })
}

/** Returns when a code of an order was first revealed, by buyer or recipient. A refund does not reset it. */
export async function firstReveal(db: Db | Tx, orderId: string): Promise<Date | null> {
  return only(await statements.findFirstReveal(db, { orderId })).at
}

export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
