import { inTransaction } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { openEntitlement } from '../entitlements.server.ts'
import { revealCodes } from './codes.contract.ts'
import { openCodeVault } from './vault.server.ts'

export function codeRoutes({ secret }: { secret: string }): Route[] {
  const vault = openCodeVault(secret)
  return [
    handle(
      revealCodes,
      { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
      ({ id: orderId, lineId }, { user, db, ip }) =>
        inTransaction(db, async (tx) => {
          const entitlementId = await openEntitlement(tx, {
            userId: user.id,
            orderId,
            lineId,
            delivery: 'code',
            isProven: true,
          })
          const rows = await tx
            .selectFrom('codes')
            .select('ciphertext')
            .where('orderLineId', '=', lineId)
            .where('state', '=', 'sold')
            .orderBy('id')
            .execute()
          // recorded first, so that no code is shown without a record
          await tx
            .insertInto('deliveryEvents')
            .values({ entitlementId, userId: user.id, kind: 'reveal', ipAddress: ip })
            .execute()
          return { codes: rows.map((row) => vault.open(row.ciphertext)) }
        }),
    ),
  ]
}
