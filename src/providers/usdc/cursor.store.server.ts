import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import type { UsdcCursorsTable } from '../../kit/tables.ts'
import type { TokenTransfer } from './rpc.server.ts'
import type { Place } from './transfers.store.server.ts'

export type Cursor = Selectable<UsdcCursorsTable>

export async function ensureCursor(db: Db, { chainId, token }: Place, blockNumber: number) {
  await db
    .insertInto('usdcCursors')
    .values({ chainId, token, blockNumber })
    .onConflict((conflict) => conflict.columns(['chainId', 'token']).doNothing())
    .execute()
}

const ofPlace = <Query extends { where: (column: never, operator: '=', value: never) => Query }>(
  query: Query,
  { chainId, token }: Place,
): Query => query.where('chainId' as never, '=', chainId as never).where('token' as never, '=', token as never)

export const findCursor = (db: Db, place: Place): Promise<Cursor | undefined> =>
  ofPlace(db.selectFrom('usdcCursors').selectAll(), place).executeTakeFirst()

const LEASE_SECONDS = 45
/** Between two scans while nothing is expected. */
const IDLE_SECONDS = 60

/** Something may arrive or be confirmed any moment. */
const IS_BUSY = sql<boolean>`(EXISTS (SELECT FROM usdc_addresses a JOIN payments p ON p.id = a.payment_id
    WHERE p.provider = 'usdc' AND p.status IN ('creating', 'created', 'capturing', 'declined'))
  OR EXISTS (SELECT FROM usdc_transfers WHERE confirmed_at IS NULL AND removed_at IS NULL)
  OR EXISTS (SELECT FROM usdc_exceptions WHERE state = 'sent')
  OR EXISTS (SELECT FROM usdc_addresses WHERE is_due AND payment_id IS NOT NULL)
  OR EXISTS (SELECT FROM usdc_addresses WHERE derivation_index = 0 AND NOT has_transfers AND created_at > now() - interval '1 hour'))`

/** One node scans at a time; null when another does, or nothing is expected. */
export const leaseCursor = async (
  db: Db,
  place: Place,
  { isForced }: { isForced: boolean },
): Promise<Cursor | null> => {
  const leased = await ofPlace(db.updateTable('usdcCursors'), place)
    .set({ leaseUntil: sql<Date>`now() + ${LEASE_SECONDS} * interval '1 second'` })
    .$if(!isForced, (query) =>
      query
        .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<', now)]))
        .where((row) =>
          row.or([
            row('scannedAt', 'is', null),
            row('scannedAt', '<', sql<Date>`now() - ${IDLE_SECONDS} * interval '1 second'`),
            IS_BUSY,
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
  return leased ?? null
}

/** The scan stands still. Answers whether staff hear of it for the first time. */
export async function noteTrouble(
  db: Db,
  place: Place,
  { why, isAlarm, alarmAfterSeconds }: { why: string; isAlarm: boolean; alarmAfterSeconds: number },
): Promise<boolean> {
  const late = sql<boolean>`coalesce(trouble_at, now()) < now() - ${alarmAfterSeconds} * interval '1 second'`
  const { rows } = await sql<{
    isNew: boolean
  }>`UPDATE usdc_cursors c SET lease_until = NULL, trouble = ${why.slice(0, 500)},
      trouble_at = coalesce(c.trouble_at, now()), is_alarmed = c.is_alarmed OR ${isAlarm}::boolean OR (${late})
    FROM (SELECT chain_id, token, is_alarmed AS was FROM usdc_cursors WHERE chain_id = ${place.chainId} AND token = ${place.token} FOR UPDATE) old
    WHERE c.chain_id = old.chain_id AND c.token = old.token
    RETURNING c.is_alarmed AND NOT old.was AS "isNew"`.execute(db)
  return rows[0]?.isNew ?? false
}

export type Scanned = {
  place: Place
  /** The scan started from this version of the cursor. */
  version: number
  watched: string[]
  from: number
  to: number
  transfers: (Omit<TokenTransfer, 'receiver'> & { address: string; blockAt: Date })[]
}

/**
 * Writes what a scan read, and moves the cursor with it. Answers the payments whose money changed; null when another scan
 * moved the cursor meanwhile, and then writes nothing.
 */
export async function writeScan(tx: Tx, scan: Scanned): Promise<string[] | null> {
  const { place, version, from, to } = scan
  const moved = await ofPlace(tx.updateTable('usdcCursors'), place)
    .set({ blockNumber: to, version: version + 1, scannedAt: now })
    .set({ leaseUntil: null, trouble: null, troubleAt: null, isAlarmed: false })
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
  if (!moved) return null
  const changed = new Set<string>()
  for (const transfer of scan.transfers) {
    const written = await writeTransfer(tx, place.chainId, transfer)
    for (const address of written) changed.add(address)
  }
  for (const address of await removeMissing(tx, scan)) changed.add(address)
  const inRange = tx
    .updateTable('usdcTransfers as t')
    .from('usdcAddresses as a')
    .set({ confirmedAt: now })
    .whereRef('a.address', '=', 't.address')
    .where('t.chainId', '=', place.chainId)
    .where('t.blockNumber', '>=', from)
    .where('t.blockNumber', '<=', sql<number>`${to}::bigint - a.confirmations + 1`)
    .where('t.confirmedAt', 'is', null)
    .where('t.removedAt', 'is', null)
  for (const { address } of await inRange.returning('t.address').execute()) changed.add(address)
  if (changed.size === 0) return []
  const due = await tx
    .updateTable('usdcAddresses')
    .set({ isDue: true, hasTransfers: true })
    .where(sql<boolean>`address = ANY(${[...changed]}::text[])`)
    .returning('paymentId')
    .execute()
  const paymentIds = due.flatMap(({ paymentId }) => paymentId ?? [])
  for (const id of paymentIds)
    await addJob(tx, 'hear_payment', { id }, { key: `hear_payment:${id}`, queue: laneOf('usdc', id) })
  return paymentIds
}

/** A transfer that moved to another block is confirmed anew. Answers the addresses that changed. */
async function writeTransfer(
  tx: Tx,
  chainId: number,
  { txHash, logIndex, address, sender, units, blockNumber, blockHash, blockAt }: Scanned['transfers'][number],
): Promise<string[]> {
  const at = { address, sender, units, blockNumber, blockHash, blockAt }
  const { rows } = await sql<{ address: string }>`INSERT INTO usdc_transfers
      (chain_id, tx_hash, log_index, address, sender, units, block_number, block_hash, block_at)
    VALUES (${chainId}, ${txHash}, ${logIndex}, ${at.address}, ${at.sender}, ${at.units}, ${at.blockNumber}, ${at.blockHash}, ${at.blockAt})
    ON CONFLICT (chain_id, tx_hash, log_index) DO UPDATE SET address = excluded.address, sender = excluded.sender,
      units = excluded.units, block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_at = excluded.block_at, removed_at = NULL, confirmed_at = NULL
    WHERE usdc_transfers.block_hash <> excluded.block_hash OR usdc_transfers.removed_at IS NOT NULL
    RETURNING address`.execute(tx)
  return rows.map((row) => row.address)
}

/** A known transfer that its blocks no longer hold was taken away by a reorganisation. */
async function removeMissing(tx: Tx, { place, watched, from, to, transfers }: Scanned): Promise<string[]> {
  if (watched.length === 0) return []
  const known = await tx
    .selectFrom('usdcTransfers')
    .select(['id', 'txHash', 'logIndex', 'address'])
    .where('chainId', '=', place.chainId)
    .where('blockNumber', '>=', from)
    .where('blockNumber', '<=', to)
    .where('removedAt', 'is', null)
    .where(sql<boolean>`address = ANY(${watched}::text[])`)
    .execute()
  const isThere = new Set(transfers.map(({ txHash, logIndex }) => `${txHash} ${logIndex}`))
  const missing = known.filter(({ txHash, logIndex }) => !isThere.has(`${txHash} ${logIndex}`))
  if (missing.length === 0) return []
  await tx
    .updateTable('usdcTransfers')
    .set({ removedAt: now, confirmedAt: null })
    .where(sql<boolean>`id = ANY(${missing.map(({ id }) => id)}::bigint[])`)
    .execute()
  return missing.map(({ address }) => address)
}
