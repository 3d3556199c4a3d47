import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { type CodeVault, openCodeVault } from './codes.server.ts'
import { revealCodes } from './delivery.contract.ts'
import { downloadRoutes } from './downloads.server.ts'
import { findEntitlement } from './entitlements.server.ts'

export function deliveryRoutes({ storage, secret }: { storage: Storage; secret: string }): Route[] {
  return [...downloadRoutes({ storage, secret }), revealRoute(openCodeVault(secret))]
}

const revealRoute = (vault: CodeVault) =>
  handle(
    revealCodes,
    async ({ id: orderId, lineId }, { user, db, ip }) => {
      const entitlement = await findEntitlement(db, { userId: user.id, orderId, lineId })
      if (entitlement?.delivery !== 'code') throw new Failure(404, 'Not found')
      const rows = await db
        .selectFrom('codes')
        .select('ciphertext')
        .where('orderLineId', '=', lineId)
        .where('state', '=', 'sold')
        .orderBy('id')
        .execute()
      // the record comes before the answer: nothing is shown that is not written down
      await db
        .insertInto('deliveryEvents')
        .values({ entitlementId: entitlement.id, userId: user.id, kind: 'reveal', ipAddress: ip })
        .execute()
      return { codes: rows.map((row) => vault.open(row.ciphertext)) }
    },
    { limits: [{ per: 'account', count: 30, seconds: 3600 }] },
  )
