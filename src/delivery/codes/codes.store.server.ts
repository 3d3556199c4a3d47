import { sql, type Updateable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { CodesTable } from '../../kit/tables.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import { queueSettling } from './stock.store.server.ts'
import type { CodeParts } from './codeParts.rules.ts'
import type { CodeVault } from './vault.server.ts'
import { only } from '../../kit/values/required.ts'

export async function addCodes(
  db: Db | Tx,
  vault: CodeVault,
  productId: string,
  codes: (string | CodeParts)[],
): Promise<number> {
  if (codes.length === 0) return 0
  const rows = await db
    .insertInto('codes')
    .values(codes.map((code) => ({ productId, ...vault.seal(code) })))
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('id')
    .execute()
  return rows.length
}

/** False if too few are free; the caller then rolls back. Skips locked codes, so buyers never wait for each other. */
export async function holdCodes(tx: Tx, paymentId: string, lines: KindLine[]): Promise<boolean> {
  // all payments lock in the same order, so that they cannot deadlock
  for (const line of lines.toSorted((a, b) => a.productId.localeCompare(b.productId))) {
    const held = await countCodes(tx, paymentId, line.id)
    const wanted = line.quantity - held
    if (wanted <= 0) continue
    const free = tx
      .selectFrom('codes')
      .select('id')
      .where('productId', '=', line.productId)
      .where('state', '=', 'free')
      .where((code) => code.or([code('expiresAt', 'is', null), code('expiresAt', '>', now)]))
      .orderBy('position')
      .limit(wanted)
      .forUpdate()
      .skipLocked()
    const taken = await tx
      .updateTable('codes')
      .set({ state: 'held', paymentId, orderLineId: line.id, updatedAt: now })
      .where('id', 'in', free)
      .returning('id')
      .execute()
    if (taken.length < wanted) return false
    if (await isNearlyOut(tx, line.productId)) await queueSettling(tx, line.productId)
  }
  return true
}

/** Codes that other transactions are taking count as free here, so each of the last buyers settles the stock. */
const LAST_CODES = 50

async function isNearlyOut(tx: Tx, productId: string): Promise<boolean> {
  const { rows } = await sql<{ isOut: boolean }>`SELECT NOT EXISTS (SELECT FROM codes
    WHERE product_id = ${productId}::uuid AND state = 'free' OFFSET ${LAST_CODES}) AS "isOut"`.execute(tx)
  return only(rows).isOut
}

async function countCodes(tx: Tx, paymentId: string, orderLineId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('paymentId', '=', paymentId)
    .where('orderLineId', '=', orderLineId)
    .where('state', 'in', ['held', 'sold'])
    .executeTakeFirstOrThrow()
  return count
}

export async function sellHeldCodes(tx: Tx, paymentId: string) {
  await changeHeld(tx, paymentId, { state: 'sold' })
}

export async function releaseCodes(tx: Tx, paymentId: string) {
  const released = await changeHeld(tx, paymentId, { state: 'free', paymentId: null, orderLineId: null })
  for (const productId of new Set(released.map((code) => code.productId))) await queueSettling(tx, productId)
}

const changeHeld = (tx: Tx, paymentId: string, change: Updateable<CodesTable>) =>
  tx
    .updateTable('codes')
    .set({ ...change, updatedAt: now })
    .where('paymentId', '=', paymentId)
    .where('state', '=', 'held')
    .returning('productId')
    .execute()

/** Puts refunded, unseen codes back on sale. Seen codes are never sold again. */
export async function takeCopiesBack(tx: Tx, lines: KindLine[]) {
  const copies = JSON.stringify(lines.map(({ id, quantity }) => ({ id, quantity })))
  const { rows } = await sql<{ productId: string }>`
    WITH wanted AS (
      SELECT c.id FROM json_to_recordset(${copies}::json) AS l (id uuid, quantity int)
      CROSS JOIN LATERAL (
        SELECT id FROM codes WHERE order_line_id = l.id AND state = 'sold' AND gift_id IS NULL
        -- first codes whose case returns the money, then codes that can be sold again
        ORDER BY EXISTS (SELECT FROM code_cases k WHERE k.code_id = codes.id AND k.state IN ('refunding', 'refunded')) DESC,
          seen_at IS NULL DESC, position DESC LIMIT l.quantity) c)
    UPDATE codes SET updated_at = now(), state = CASE WHEN seen_at IS NULL THEN 'free' ELSE 'void' END,
      payment_id = CASE WHEN seen_at IS NOT NULL THEN payment_id END,
      order_line_id = CASE WHEN seen_at IS NOT NULL THEN order_line_id END
    WHERE id IN (SELECT id FROM wanted) RETURNING product_id`.execute(tx)
  for (const productId of new Set(rows.map((row) => row.productId))) await queueSettling(tx, productId)
}

/** Codes of a line wait for who claims a gift, the newest first. */
export async function setCodesAside(tx: Tx, { id, quantity }: KindLine, giftId: string): Promise<boolean> {
  const waiting = await tx
    .updateTable('codes')
    .set({ giftId, updatedAt: now })
    .where('id', 'in', (db) =>
      db
        .selectFrom('codes')
        .select('id')
        .where('orderLineId', '=', id)
        .where('state', '=', 'sold')
        .where('giftId', 'is', null)
        .orderBy('position', 'desc')
        .limit(quantity),
    )
    .returning('id')
    .execute()
  return waiting.length === quantity
}

export async function putCodesBack(tx: Tx, _line: KindLine, giftId: string) {
  await tx.updateTable('codes').set({ giftId: null, updatedAt: now }).where('giftId', '=', giftId).execute()
}

export async function handCodesOver(tx: Tx, { id: orderLineId }: KindLine, giftId: string) {
  await tx
    .updateTable('codes')
    .set({ orderLineId, giftId: null, updatedAt: now })
    .where('giftId', '=', giftId)
    .execute()
}
