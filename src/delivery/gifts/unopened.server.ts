import type { Db, Tx } from '../../kit/database.server.ts'
import { isOneEnough } from '../kinds.server.ts'
import * as statements from './gifts.statements.server.ts'

/** Use of the copies of a line. `names`: the recipients of claimed gifts, as the buyer entered them. */
export type LineUse = { unopened: number; isUsed: boolean; claimed: ClaimedCopies }
export type ClaimedCopies = { copies: number; isOpened: boolean; names: string[] }

/**
 * Reads the use of each line of an order. `left`: copies that are not refunded. A copy is unopened if the buyer has not
 * opened it and nobody claimed it. The caller locks the order, so that no use starts meanwhile.
 */
export async function readLineUses(
  db: Db | Tx,
  orderId: string,
  left: { id: string; copies: number }[],
): Promise<Map<string, LineUse>> {
  const rows = await statements.readLineUses(db, { orderId })
  return new Map(
    rows.map(({ id, isUsed, copies, isOpened, names, ...row }) => {
      const all = left.find((line) => line.id === id)?.copies ?? 0
      const own = all - copies
      // revealed codes may be any of the line, so none counts as unopened; a file counts as one opened copy
      const unopened = !isUsed ? own : isOneEnough(row) ? own - (row.isGiven ? 0 : 1) : 0
      return [id, { unopened: Math.max(0, unopened), isUsed, claimed: { copies, isOpened, names } }]
    }),
  )
}
