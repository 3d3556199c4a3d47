import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import type { UsdcCursorsTable } from '../../kit/tables.ts'
import type { TokenTransfer } from './rpc.server.ts'
import type { Place } from './transfers.store.server.ts'
import { markDue } from './usdcAddresses.statements.server.ts'
import * as statements from './usdcTransfers.statements.server.ts'

export type Cursor = Selectable<UsdcCursorsTable>

export async function ensureCursor(db: Db, { chainId, token }: Place, blockNumber: number) {
  await db
    .insertInto('usdcCursors')
    .values({ chainId, token, blockNumber })
    .onConflict((conflict) => conflict.columns(['chainId', 'token']).doNothing())
    .execute()
}

export const findCursor = (db: Db, { chainId, token }: Place): Promise<Cursor | undefined> =>
  db.selectFrom('usdcCursors').selectAll().where('chainId', '=', chainId).where('token', '=', token).executeTakeFirst()

/** Leases the scan to one node. Null when another node scans or no transfer is expected. */
export const leaseCursor = async (
  db: Db,
  { chainId, token }: Place,
  { isForced }: { isForced: boolean },
): Promise<Cursor | null> => (await statements.leaseCursor(db, { chainId, token, isForced }))[0] ?? null

/** Records that the scan failed. Returns whether staff must be alerted now. */
export async function noteTrouble(
  db: Db,
  { chainId, token }: Place,
  { why, ...alarm }: { why: string; isAlarm: boolean; alarmAfterSeconds: number },
): Promise<boolean> {
  const [noted] = await statements.noteTrouble(db, { chainId, token, why: why.slice(0, 500), ...alarm })
  return noted?.isNew ?? false
}

export type Scanned = {
  place: Place
  /** Cursor version at the start of the scan. */
  version: number
  watched: string[]
  from: number
  to: number
  transfers: (Omit<TokenTransfer, 'receiver'> & { address: string; blockAt: Date })[]
}

/**
 * Writes the scanned transfers and moves the cursor. Returns the payments whose money changed. If another scan moved
 * the cursor meanwhile, writes nothing and returns null.
 */
export async function writeScan(tx: Tx, scan: Scanned): Promise<string[] | null> {
  const { version, from, to } = scan
  const { chainId, token } = scan.place
  const moved = await tx
    .updateTable('usdcCursors')
    .set({ blockNumber: to, version: version + 1, scannedAt: now })
    .set({ leaseUntil: null, trouble: null, troubleAt: null, isAlarmed: false })
    .where('chainId', '=', chainId)
    .where('token', '=', token)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst()
  if (!moved) return null
  const changed = new Set<string>()
  for (const transfer of scan.transfers) {
    const written = await statements.writeTransfer(tx, { chainId, ...transfer })
    for (const { address } of written) changed.add(address)
  }
  for (const address of await removeMissing(tx, scan)) changed.add(address)
  for (const { address } of await statements.confirmTransfers(tx, { chainId, from, to })) changed.add(address)
  if (changed.size === 0) return []
  const due = await markDue(tx, { addresses: [...changed] })
  const paymentIds = due.flatMap(({ paymentId }) => paymentId ?? [])
  for (const id of paymentIds)
    await addJob(tx, 'hear_payment', { id }, { key: `hear_payment:${id}`, queue: laneOf('usdc', id) })
  return paymentIds
}

/** Marks stored transfers as removed if a reorganisation dropped them from the scanned blocks. */
async function removeMissing(tx: Tx, { place, watched, from, to, transfers }: Scanned): Promise<string[]> {
  if (watched.length === 0) return []
  const known = await statements.listInBlocks(tx, { chainId: place.chainId, from, to, watched })
  const isThere = new Set(transfers.map(({ txHash, logIndex }) => `${txHash} ${logIndex}`))
  const missing = known.filter(({ txHash, logIndex }) => !isThere.has(`${txHash} ${logIndex}`))
  if (missing.length === 0) return []
  await statements.removeTransfers(tx, { ids: missing.map(({ id }) => id) })
  return missing.map(({ address }) => address)
}
