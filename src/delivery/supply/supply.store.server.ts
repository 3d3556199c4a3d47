import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob } from '../../kit/jobs.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import type { SupplyRequestsTable } from '../../kit/tables.ts'
import type { CodeParts } from '../codes/codeParts.rules.ts'
import type { CodeVault } from '../codes/vault.server.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import type { Supply } from './supply.contract.ts'

export type SupplyRow = Selectable<SupplyRequestsTable>

export async function findSupplied(tx: Tx, lines: KindLine[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('suppliedProducts')
    .select('productId')
    .where(
      'productId',
      'in',
      lines.map(({ productId }) => productId),
    )
    .execute()
  return new Set(rows.map(({ productId }) => productId))
}

/** Writes the requests of paid lines that have no codes of the stock; the job sends them after the commit. */
export async function requestSupply(tx: Tx, paymentId: string, lines: KindLine[]) {
  const { rows } = await sql<{ lineId: string }>`
    INSERT INTO supply_requests (order_line_id, payment_id, product_id, sku, quantity, ends_at)
    SELECT l.id, ${paymentId}::uuid, y.product_id, y.sku, l.quantity, now() + y.window_minutes * interval '1 minute'
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS l (id uuid, "productId" uuid, quantity int)
    JOIN supplied_products y ON y.product_id = l."productId"
    WHERE NOT EXISTS (SELECT FROM codes c WHERE c.order_line_id = l.id AND c.state = 'sold')
    ON CONFLICT (order_line_id) DO NOTHING RETURNING order_line_id AS "lineId"`.execute(tx)
  for (const { lineId } of rows) await addJob(tx, 'supply', { lineId }, { key: `supply:${lineId}` })
}

/** Ends the requests of lines whose last copy was refunded. What arrives later is not sold. */
export async function endReturned(tx: Tx, lines: KindLine[]) {
  await sql`UPDATE supply_requests y SET state = 'ended'
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS r (id uuid, quantity int), earnings s
    WHERE y.order_line_id = r.id AND s.order_line_id = r.id AND y.state = 'waiting'
      AND (r.quantity >= y.quantity OR s.returned_quantity >= y.quantity)`.execute(tx)
}

export const findSupply = (db: Db | Tx, lineId: string): Promise<SupplyRow | undefined> =>
  db.selectFrom('supplyRequests').selectAll().where('orderLineId', '=', lineId).executeTakeFirst()

export const lockSupply = (tx: Tx, lineId: string): Promise<SupplyRow> =>
  tx.selectFrom('supplyRequests').selectAll().where('orderLineId', '=', lineId).forUpdate().executeTakeFirstOrThrow()

export async function noteTry(db: Db, lineId: string) {
  await db
    .updateTable('supplyRequests')
    .set({ tries: sql`tries + 1`, askedAt: now })
    .where('orderLineId', '=', lineId)
    .execute()
}

export async function noteAnswer(db: Db, lineId: string, lastError: string | null) {
  await db.updateTable('supplyRequests').set({ lastError }).where('orderLineId', '=', lineId).execute()
}

export async function endSupply(tx: Tx, lineId: string, state: 'delivered' | 'ended') {
  await tx.updateTable('supplyRequests').set({ state }).where('orderLineId', '=', lineId).execute()
}

/**
 * Seals what arrived: `owed` codes as sold with their line, others as never to be sold. False if one of them is in the shop
 * already; the caller then rolls back.
 */
export async function saveSupplied(
  tx: Tx,
  vault: CodeVault,
  { productId, paymentId, orderLineId }: SupplyRow,
  codes: CodeParts[],
  owed: number,
): Promise<boolean> {
  const sold = await tx
    .insertInto('codes')
    .values(
      codes.map((code, i) => ({
        ...{ productId, ...vault.seal(code), paymentId, orderLineId },
        state: i < owed ? ('sold' as const) : ('void' as const),
      })),
    )
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('id')
    .execute()
  return sold.length === codes.length
}

/** Requests that wait: those that are due for another try, and those whose window is over. */
export async function findWaiting(db: Db): Promise<{ lineId: string; isOver: boolean }[]> {
  const { rows } = await sql<{ lineId: string; isOver: boolean }>`
    SELECT order_line_id AS "lineId", ends_at <= now() AS "isOver" FROM supply_requests
    WHERE state = 'waiting' AND (ends_at <= now() OR asked_at IS NULL OR asked_at < now() - least(tries, 10) * interval '30 seconds')
    ORDER BY ends_at LIMIT 200`.execute(db)
  return rows
}

/** The window of a line, in the JSON of its buyer: until when its codes arrive, or its money returns. */
export const SUPPLY = `(SELECT ${isoOf('y.ends_at')} FROM supply_requests y WHERE y.order_line_id = l.id AND y.state = 'waiting')`

export async function readOwed(tx: Tx, lineId: string): Promise<number> {
  const line = await tx
    .selectFrom('earnings')
    .innerJoin('orderLines', 'orderLines.id', 'earnings.orderLineId')
    .select(['orderLines.quantity', 'earnings.returnedQuantity'])
    .where('earnings.orderLineId', '=', lineId)
    .executeTakeFirstOrThrow()
  return line.quantity - line.returnedQuantity
}

export async function readSupplies(db: Db): Promise<Supply[]> {
  const { rows } = await sql<Supply>`
    SELECT p.id AS "productId", coalesce(o.title || ', ' || p.variant_name, p.title) AS title, y.sku, y.window_minutes AS minutes,
      (SELECT count(*)::int FROM supply_requests r WHERE r.product_id = p.id AND r.state = 'waiting') AS waiting
    FROM supplied_products y JOIN products p ON p.id = y.product_id LEFT JOIN products o ON o.id = p.variant_of
    ORDER BY lower(p.title), p.id LIMIT 1000`.execute(db)
  return rows
}

export async function setSku(tx: Tx, productId: string, made: { sku: string; windowMinutes: number } | null) {
  await tx.deleteFrom('suppliedProducts').where('productId', '=', productId).execute()
  if (made)
    await tx
      .insertInto('suppliedProducts')
      .values({ productId, ...made })
      .execute()
}
