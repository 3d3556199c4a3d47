import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob } from '../../kit/jobs.server.ts'
import type { SupplyRequestsTable } from '../../kit/tables.ts'
import type { CodeParts } from '../codes/codeParts.rules.ts'
import type { CodeVault } from '../codes/vault.server.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import type { Supply } from './supply.contract.ts'
import * as statements from './supply.statements.server.ts'

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

/** Stores the requests of paid lines without codes from the stock. The job sends them after the commit. */
export async function requestSupply(tx: Tx, paymentId: string, lines: KindLine[]) {
  const rows = await statements.insertRequests(tx, { paymentId, lines: JSON.stringify(lines) })
  for (const { lineId } of rows) await addJob(tx, 'supply', { lineId }, { key: `supply:${lineId}` })
}

/** Ends the requests of lines whose last copy was refunded. Codes that arrive later are not sold. */
export async function endReturned(tx: Tx, lines: KindLine[]) {
  await statements.endReturned(tx, { lines: JSON.stringify(lines) })
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
 * Encrypts and stores delivered codes: `owed` codes as sold with their line, the others as void. Returns false if the
 * shop has one of them already; the caller then rolls back.
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

/** Returns requests that are due for a retry, and expired ones. */
export const findWaiting = (db: Db) => statements.findWaiting(db, {})

export async function readOwed(tx: Tx, lineId: string): Promise<number> {
  const line = await tx
    .selectFrom('earnings')
    .innerJoin('orderLines', 'orderLines.id', 'earnings.orderLineId')
    .select(['orderLines.quantity', 'earnings.returnedQuantity'])
    .where('earnings.orderLineId', '=', lineId)
    .executeTakeFirstOrThrow()
  return line.quantity - line.returnedQuantity
}

export const readSupplies = (db: Db): Promise<Supply[]> => statements.readSupplies(db, {})

export async function setSku(tx: Tx, productId: string, made: { sku: string; windowMinutes: number } | null) {
  await tx.deleteFrom('suppliedProducts').where('productId', '=', productId).execute()
  if (made)
    await tx
      .insertInto('suppliedProducts')
      .values({ productId, ...made })
      .execute()
}
