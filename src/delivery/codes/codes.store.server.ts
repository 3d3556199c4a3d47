import type { Updateable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { CodesTable } from '../../kit/tables.ts'
import type { KindLine } from '../kindOfGoods.server.ts'
import { queueSettling } from './stock.store.server.ts'
import type { CodeParts } from './codeParts.rules.ts'
import * as statements from './codes.statements.server.ts'
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

/** Returns false if too few codes are free; the caller then rolls back. Skips locked codes, so no buyer waits. */
export async function holdCodes(tx: Tx, paymentId: string, lines: KindLine[]): Promise<boolean> {
  // all payments lock in the same order to prevent deadlocks
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

/** Codes that other transactions are reserving count as free. Near the end, each sale updates the product. */
const LAST_CODES = 50

const isNearlyOut = async (tx: Tx, productId: string): Promise<boolean> =>
  only(await statements.isNearlyOut(tx, { productId, lastCodes: LAST_CODES })).isOut

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
  const rows = await statements.takeCopiesBack(tx, { lines: JSON.stringify(lines) })
  for (const productId of new Set(rows.map((row) => row.productId))) await queueSettling(tx, productId)
}

/** Reserves the newest codes of a line for the recipient of a gift. */
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
