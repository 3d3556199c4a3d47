import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { openGoods } from '../gate.server.ts'
import type { Use } from '../uses.rules.ts'
import { noteCopy, revealCodes, setCodeUsed } from './codes.contract.ts'
import { readCodes } from './codes.statements.server.ts'
import type { CodeVault } from './vault.server.ts'

const reveals: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]
const notes: Limit[] = [{ per: 'account', count: 120, seconds: 3600, isShared: true }]

type Line = { userId: string; orderId: string; lineId: string }

/** Opens the codes of a line. The route's contract requires a fresh proof, except for notes about revealed codes. */
const openCodesOf = (tx: Tx, line: Line, use: { kind: Use; ip: string } | null) =>
  openGoods(tx, { ...line, delivery: 'code', isProven: true, use })

async function isRevealed(
  tx: Tx,
  { entitlementId, lineId, codeId }: { entitlementId: string; lineId: string; codeId: string },
): Promise<boolean> {
  const code = await tx
    .selectFrom('codes')
    .select('id')
    .where('id', '=', codeId)
    .where('orderLineId', '=', lineId)
    .where('state', '=', 'sold')
    .where('giftId', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('deliveryEvents')
          .select('deliveryEvents.id')
          .where('entitlementId', '=', entitlementId)
          .where('kind', '=', 'reveal'),
      ),
    )
    .executeTakeFirst()
  return code !== undefined
}

/** Returns true if the member owns and revealed the code. Throws if the line is closed. Locks the order. */
export async function findRevealed(tx: Tx, { codeId, ...line }: Line & { codeId: string }): Promise<boolean> {
  return isRevealed(tx, { entitlementId: await openCodesOf(tx, line, null), lineId: line.lineId, codeId })
}

export const codeRoutes = (vault: CodeVault): Route[] => [
  handle(revealCodes, { limits: reveals }, ({ id: orderId, lineId }, { user, db, ip }) =>
    inTransaction(db, async (tx) => {
      await openCodesOf(tx, { userId: user.id, orderId, lineId }, { kind: 'reveal', ip })
      const rows = await readCodes(tx, { lineId })
      return {
        codes: rows.map(({ id, usedAt, report, ...sealed }) => ({
          id,
          ...vault.open(sealed),
          isUsed: usedAt !== null,
          report,
        })),
      }
    }),
  ),

  handle(noteCopy, { limits: notes }, ({ id: orderId, lineId, codeId }, { user, db, ip }) =>
    inTransaction(db, async (tx) => {
      const entitlementId = await openCodesOf(tx, { userId: user.id, orderId, lineId }, { kind: 'copy', ip })
      // only a revealed code can be copied
      if (!(await isRevealed(tx, { entitlementId, lineId, codeId }))) throw new Failure(404, 'Not found')
      return { isNoted: true }
    }),
  ),

  handle(setCodeUsed, { limits: notes }, ({ id: orderId, lineId, codeId, isUsed }, { user, db }) =>
    inTransaction(db, async (tx) => {
      await openCodesOf(tx, { userId: user.id, orderId, lineId }, null)
      const { numUpdatedRows } = await tx
        .updateTable('codes')
        .set({ usedAt: isUsed ? sql<Date>`coalesce(used_at, now())` : null })
        .where('id', '=', codeId)
        .where('orderLineId', '=', lineId)
        .where('state', '=', 'sold')
        .where('giftId', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Failure(404, 'Not found')
      return { isUsed }
    }),
  ),
]
