import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { addJob } from '../../kit/jobs.server.ts'
import type { PayoutBatchesTable } from '../../kit/tables.ts'
import type { Method } from './payout.rules.ts'
import * as statements from './payoutBatches.statements.server.ts'
import { OPEN_STATES, type PayoutRow } from './payouts.store.server.ts'

export type BatchRow = Selectable<PayoutBatchesTable>

export const insertBatch = (
  tx: Tx,
  batch: { method: Method; provider: string | null; mode: 'sandbox' | 'live' | null; approvedBy: string },
): Promise<BatchRow> => tx.insertInto('payoutBatches').values(batch).returningAll().executeTakeFirstOrThrow()

/** Adds requested payouts to a batch with their current payout details. The caller holds the locks. */
export async function joinBatch(tx: Tx, batchId: string, ids: string[]) {
  await tx
    .updateTable('payouts')
    .from('payoutDetails as d')
    .set((row) => ({
      state: 'approved' as const,
      batchId,
      approvedAt: now,
      method: row.ref('d.method'),
      label: row.ref('d.label'),
      sealed: row.ref('d.sealed'),
      reason: null,
      cause: null,
    }))
    .whereRef('d.userId', '=', 'payouts.sellerId')
    .where('payouts.id', 'in', ids)
    .where('payouts.state', '=', 'requested')
    .execute()
}

export const findBatch = (db: Db | Tx, id: string): Promise<BatchRow | undefined> =>
  db.selectFrom('payoutBatches').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks a batch, so that an export and a decision of staff do not overlap. */
export const lockBatch = (tx: Tx, id: string): Promise<BatchRow | undefined> =>
  tx.selectFrom('payoutBatches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function lockBatchesOf(tx: Tx, payoutIds: string[]): Promise<Set<string>> {
  const rows = await statements.lockBatches(tx, { payoutIds })
  return new Set(rows.map(({ id }) => id))
}

export const payoutsIn = (db: Db | Tx, batchId: string): Promise<PayoutRow[]> =>
  db.selectFrom('payouts').selectAll().where('batchId', '=', batchId).orderBy('id').execute()

export type Leased = { isFirst: boolean; sentDays: number }

/** Leases a batch, so that only this caller sends it. Returns undefined if another caller holds the lease. */
export const leaseBatch = async (db: Db, id: string): Promise<Leased | undefined> =>
  (await statements.leaseBatch(db, { id }))[0]

/** Stores why the last request failed and ends the lease. */
export async function noteProblem(db: Db | Tx, id: string, problem: string) {
  await db
    .updateTable('payoutBatches')
    .set({ problem: problem.slice(0, 500), leaseUntil: null })
    .where('id', '=', id)
    .execute()
}

export async function nameBatch(tx: Tx, id: string, providerBatchId: string) {
  if (!(await leaveApproved(tx, id, { state: 'sent', providerBatchId, problem: null }))) return
  await tx
    .updateTable('payouts')
    .set({ state: 'processing' })
    .where('batchId', '=', id)
    .where('state', '=', 'approved')
    .execute()
}

/** Ends a batch that the provider does not have. Its payouts return to the queue for a new approval. */
export async function refuseBatch(tx: Tx, id: string, problem: string) {
  if (!(await leaveApproved(tx, id, { state: 'refused', problem: problem.slice(0, 500) }))) return
  await tx
    .updateTable('payouts')
    .set({ state: 'requested', batchId: null, approvedAt: null, method: null, label: null, sealed: null })
    .where('batchId', '=', id)
    .where('state', '=', 'approved')
    .execute()
}

/** Changes an approved batch and ends its lease. Returns false if the batch is not approved. */
async function leaveApproved(
  tx: Tx,
  id: string,
  change: { state: 'sent' | 'refused'; providerBatchId?: string; problem: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payoutBatches')
    .set({ ...change, leaseUntil: null })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function noteExport(tx: Tx, id: string) {
  await tx
    .updateTable('payoutBatches')
    .set({ exportedAt: now })
    .where('id', '=', id)
    .where('exportedAt', 'is', null)
    .execute()
}

export async function closeBatch(db: Db | Tx, id: string) {
  await db
    .updateTable('payoutBatches')
    .set({ state: 'over' })
    .where('id', '=', id)
    .where('state', 'in', ['approved', 'sent'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payouts').select('id').where('batchId', '=', id).where('state', 'in', OPEN_STATES))),
    )
    .execute()
}

export async function touchBatch(db: Db, id: string) {
  await db.updateTable('payoutBatches').set({ lookedAt: now }).where('id', '=', id).execute()
}

export const findOpenBatches = (db: Db, idleSeconds: number): Promise<Pick<BatchRow, 'id' | 'state'>[]> =>
  statements.listOpen(db, { idleSeconds })

/** Makes open batches due for the reconciler: one batch, or all if `id` is null. Returns their count. */
export async function hurryBatches(db: Db, id: string | null): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('payoutBatches')
    .set({ lookedAt: null })
    .where('state', 'in', ['approved', 'sent'])
    .where('provider', 'is not', null)
    .$call((query) => (id !== null ? query.where('id', '=', id) : query))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await addJob(db, 'reconcile_payouts', {}, { key: 'reconcile_payouts:now' })
  return Number(numUpdatedRows)
}
