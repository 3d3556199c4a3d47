import { type Db, inTransaction } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { checksummed } from './address.server.ts'
import type { Away, Chain, Disagreed } from './chain.server.ts'
import { ensureCursor, findCursor, leaseCursor, noteTrouble, type Scanned, writeScan } from './cursor.store.server.ts'
import { type Place, watchedAddresses } from './transfers.store.server.ts'
import { required } from '../../kit/values/required.ts'

// Scans the transfers to the shop's addresses. One transaction writes rows and cursor: a crash only repeats the scan.

export type Scanner = { db: Db; chain: Chain; place: Place; confirmations: number }

/** Every scan re-reads this many blocks behind the cursor to detect a reorganisation. */
export const rereadBlocks = (confirmations: number): number => Math.max(64, 4 * confirmations)

/** Shorter failures are normal: nodes restart, or differ about the newest block. */
const ALARM_AFTER_SECONDS = 60

/** `isForced`: ignores the lease and the schedule. `beforeWrite` runs between reading and writing. */
export async function scan(
  scanner: Scanner,
  { isForced = false, beforeWrite }: { isForced?: boolean; beforeWrite?: () => Promise<void> } = {},
): Promise<'scanned' | 'idle' | 'outrun' | 'stopped'> {
  const { db, chain, place, confirmations } = scanner
  if (!(await findCursor(db, place))) {
    const top = await chain.head()
    if (top.kind !== 'head') return 'idle'
    await ensureCursor(db, place, top.number)
  }
  const cursor = await leaseCursor(db, place, { isForced })
  if (!cursor) return 'idle'
  const watched = await watchedAddresses(db, place)
  const known = cursor.blockNumber
  const read = await chain.read(watched, { from: known - rereadBlocks(confirmations), known })
  if (read.kind !== 'read') {
    await stopScan(scanner, read)
    return 'stopped'
  }
  await beforeWrite?.()
  const { from, to, times } = read
  const transfers = read.transfers.flatMap(({ receiver, ...transfer }) => {
    if (transfer.units < 0) {
      log.error('a transfer is larger than any that can be true', { transaction: transfer.txHash })
      return []
    }
    return {
      ...transfer,
      address: checksummed(receiver),
      blockAt: required(times.get(transfer.blockNumber), 'the time of a block'),
    }
  })
  const scanned: Scanned = { place, version: cursor.version, watched, from, to: to.number, transfers }
  const changed = await inTransaction(db, (tx) => writeScan(tx, scanned))
  if (cursor.isAlarmed && changed) log.info('the scan of USDC goes on', {})
  return changed ? 'scanned' : 'outrun'
}

/** Records the failure. The scanner credits nothing until the nodes agree. */
async function stopScan({ db, place }: Scanner, { why, ...stopped }: Away | Disagreed) {
  const isAlarm = stopped.kind === 'disagreed' && stopped.isFinal
  const isNew = await noteTrouble(db, place, { why, isAlarm, alarmAfterSeconds: ALARM_AFTER_SECONDS })
  if (isNew) log.error('the scan of USDC stands still: no payment is credited', { why })
}
