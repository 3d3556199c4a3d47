import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { isOneEnough } from '../kinds.server.ts'
import type { Kind } from '../kindOfGoods.server.ts'

/** Use of the copies of a line. `names` are the recipients of claimed gifts, as the buyer entered them. */
export type LineUse = { unopened: number; isUsed: boolean; claimed: ClaimedCopies }
export type ClaimedCopies = { copies: number; isOpened: boolean; names: string[] }

type Row = {
  id: string
  delivery: Kind['name']
  isGiven: boolean
  isUsed: boolean
  copies: number
  isOpened: boolean
  names: string[]
}

const USED = (
  entitlement: string,
) => `(EXISTS (SELECT FROM delivery_events v WHERE v.entitlement_id = ${entitlement}.id)
      OR EXISTS (SELECT FROM download_grants d WHERE d.entitlement_id = ${entitlement}.id AND d.started_at IS NOT NULL))`

/**
 * Reads the use of each line of an order. `left` is the number of copies that are not refunded. A copy is unopened if the buyer has
 * not opened it and no one has claimed it as a gift. The caller locks the order, so that no use or claim starts meanwhile.
 */
export async function readLineUses(
  db: Db | Tx,
  orderId: string,
  left: { id: string; copies: number }[],
): Promise<Map<string, LineUse>> {
  const { rows } = await sql<Row>`
    SELECT l.id, l.delivery, e.given_at IS NOT NULL AS "isGiven", ${sql.raw(USED('e'))} AS "isUsed", c.copies, c.names, c.opened AS "isOpened"
    FROM order_lines l JOIN entitlements e ON e.order_line_id = l.id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(g.quantity), 0)::int AS copies, coalesce(bool_or(${sql.raw(USED('n'))}), false) AS opened,
        coalesce(array_agg(DISTINCT g.to_name) FILTER (WHERE g.to_name <> ''), '{}') AS names
      FROM gifts g JOIN order_lines m ON m.gift_id = g.id JOIN entitlements n ON n.order_line_id = m.id
      WHERE g.order_line_id = l.id AND g.state = 'claimed') c
    WHERE l.order_id = ${orderId}::uuid`.execute(db)
  return new Map(
    rows.map(({ id, isUsed, copies, isOpened, names, ...row }) => {
      const all = left.find((line) => line.id === id)?.copies ?? 0
      const own = all - copies
      // opened codes may be any codes of the line, so none counts as unopened; a file counts as one opened copy
      const unopened = !isUsed ? own : isOneEnough(row) ? own - (row.isGiven ? 0 : 1) : 0
      return [id, { unopened: Math.max(0, unopened), isUsed, claimed: { copies, isOpened, names } }]
    }),
  )
}
