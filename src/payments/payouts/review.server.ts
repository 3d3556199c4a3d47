import { sql } from 'kysely'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { addJob, laneOf } from '../../kit/jobs.server.ts'
import { toDecimal } from '../../kit/money.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { fileOf } from './bankFile.server.ts'
import { methodsOf, payingOf, type Payouts } from './context.server.ts'
import { holdOf, isOpen, type Method } from './payout.rules.ts'
import {
  approvePayouts,
  listPayoutBatches,
  listQueuedPayouts,
  markPayouts,
  PAYOUTS_AT_ONCE,
  type QueuedPayout,
} from './payouts.contract.ts'
import { closeBatch, insertBatch, joinBatch, lockBatchesOf } from './batches.store.server.ts'
import { type ConfirmedAct, isConfirmed, forgetApprovals, OWN_DECISION } from './confirmations.store.server.ts'
import { countQueue, readBatches, readQueue, type Row } from './queue.store.server.ts'
import * as statements from './payoutQueue.statements.server.ts'
import { type Ending, settleIn } from './settle.server.ts'
import { lastOf } from '../../kit/values/required.ts'

// Routes for staff: queue, batches, bank files and results from the bank.

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60, isShared: true }]
const MAX_IN_A_FILE = 1000

export const payoutReviewRoutes = (payouts: Payouts): Route[] => [
  handle(listQueuedPayouts, async ({ queue, limit = PAYOUTS_AT_ONCE, after }, { db, user }) => {
    const rows = await readQueue(db, queue, limit + 1, after ?? null)
    const page = rows.slice(0, limit).map((row) => describe(payouts, row, user.id))
    const asked = new URLSearchParams({ queue, limit: String(limit) })
    const next = rows.length > limit && `</api/admin/payouts?${asked}&after=${lastOf(page).id}>; rel="next"`
    const headers = { 'x-total-count': String(await countQueue(db, queue)), ...(next && { link: next }) }
    return asJson(JSON.stringify(page), headers)
  }),

  handle(listPayoutBatches, (_, { db }) => readBatches(db)),

  handle(approvePayouts, { limits, bodyLimit: 256 * 1024 }, async ({ ids }, { user, db }) => {
    const { approved, waiting } = await inTransaction(db, (tx) => approve(tx, payouts, user.id, ids))
    return { approved, waiting, skipped: new Set(ids).size - approved - waiting }
  }),

  handle(markPayouts, { limits, bodyLimit: 256 * 1024 }, async ({ ids, as, reason, isFinal }, { user, db }) => {
    if (as !== 'sent' && !reason) throw new Failure(400, 'reason: Give a reason', 'invalid')
    const ending: Ending =
      as === 'sent' ? { state: as } : { state: as, cause: isFinal ? 'details' : 'shop', reason: reason! }
    return inTransaction(db, (tx) => mark(tx, payouts, user.id, [...new Set(ids)].toSorted(), ending))
  }),

  ...(['csv', 'xml'] as const).map((kind) =>
    handleRaw(
      `GET /api/admin/payouts/batches/:id/file.${kind}`,
      {
        access: 'finance',
        about: `A batch as a file for the bank (${kind === 'csv' ? 'CSV' : 'ISO 20022 pain.001'}).`,
        stepUp: true,
      },
      async ({ params, user, db }) => fileOf(payouts, db, user.id, params.id, kind),
    ),
  ),
]

function refusalOf(payouts: Payouts, { nextMethod, waitsUntil, rejection, schedule, monthlyAt, isSuspended, at }: Row) {
  const details = nextMethod && {
    method: nextMethod,
    waitsUntil,
    rejection,
    schedule: schedule!,
    monthlyAt: monthlyAt!,
  }
  const hold = holdOf({ now: at, details, isSuspended })
  if (hold) return hold.code
  return methodsOf(payouts).includes(nextMethod!) ? null : 'method_missing'
}

const DAY_MS = 24 * 3600_000

function describe(payouts: Payouts, row: Row, staffId: string): QueuedPayout {
  const isWaiting = row.state === 'requested'
  return {
    ...{ id: row.id, seller: row.email, state: row.state, batchId: row.batchId, reason: row.reason },
    amount: toDecimal(row.amountCents),
    method: isWaiting ? row.nextMethod : row.method,
    to: isWaiting ? row.nextLabel : row.label,
    hold: isWaiting ? refusalOf(payouts, row) : null,
    createdAt: row.createdAt.toISOString(),
    dueAt: new Date(row.createdAt.getTime() + payouts.config.payouts.reviewDays * DAY_MS).toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    isOwn: row.sellerId === staffId,
    about: { ...row.about, sold: toDecimal(row.about.sold), refunded: toDecimal(row.about.refunded) },
    first:
      row.firstAct && row.state !== 'failed' && row.state !== 'returned'
        ? { act: row.firstAct, by: row.firstEmail!, isOwn: row.firstStaffId === staffId }
        : null,
  }
}

const OWN = new Failure(403, 'This payout is yours. Another member of staff decides.', 'own_payout')

/**
 * Approves payouts and adds them to batches. The approval fixes the payout details. `waiting` counts payouts above the
 * limit, which need another member of staff.
 */
async function approve(tx: Tx, payouts: Payouts, staffId: string, ids: string[]) {
  const locked = await tx
    .selectFrom('payouts')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'requested')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (locked.length === 0) throw new Failure(409, 'Another member of staff was faster. Please look again.', 'decided')
  const lockedIds = locked.map(({ id }) => id)
  // the lock serializes this approval with changes of payout details
  await statements.lockDetails(tx, { ids: lockedIds })
  const rows = await statements.findQueued(tx, { ids: lockedIds })
  if (rows.some(({ sellerId }) => sellerId === staffId)) throw OWN
  const sound: Row[] = []
  const tally = { approved: 0, waiting: 0, repeated: 0 }
  for (const row of rows.filter((one) => refusalOf(payouts, one) === null)) {
    const isLarge = row.sevenDaysCents > payouts.config.payouts.approvalAboveCents
    if (!isLarge || (await isConfirmed(tx, { payoutId: row.id, act: 'approved', staffId }, tally))) sound.push(row)
  }
  if (sound.length > 0)
    await forgetApprovals(
      tx,
      sound.map(({ id }) => id),
    )
  for (const [method, own] of Map.groupBy(sound, ({ nextMethod }) => nextMethod!)) {
    const most = method === 'bank' ? MAX_IN_A_FILE : payingOf(payouts.providers)!.payOut!.most
    for (let start = 0; start < own.length; start += most) {
      await approveBatch(tx, payouts, staffId, method, own.slice(start, start + most))
      tally.approved += Math.min(most, own.length - start)
    }
  }
  if (tally.approved + tally.waiting > 0) return tally
  if (tally.repeated > 0) throw OWN_DECISION
  throw new Failure(409, 'None of these can be sent now; each row shows the reason.', 'held')
}

async function approveBatch(tx: Tx, { providers }: Payouts, staffId: string, method: Method, rows: Row[]) {
  const paying = payingOf(providers)!
  const sender = method === 'bank' ? { provider: null, mode: null } : { provider: paying.name, mode: paying.mode }
  const { id } = await insertBatch(tx, { method, ...sender, approvedBy: staffId })
  await joinBatch(
    tx,
    id,
    rows.map((row) => row.id),
  )
  const amount = usd(rows.reduce((sum, { amountCents }) => sum + amountCents, 0))
  const details = { payouts: String(rows.length), amount }
  await recordAct(tx, { actorId: staffId, act: 'payout.approved', subjectId: id, details })
  if (method !== 'bank')
    await addJob(tx, 'send_payouts', { id }, { key: `send_payouts:${id}`, queue: laneOf(paying.name, id) })
}

const PROVIDER_DECIDES = new Failure(
  409,
  'The payment provider says what becomes of this payout. It can be marked when the provider holds it or lost it.',
  'provider_decides',
)

async function mark(tx: Tx, payouts: Payouts, staffId: string, ids: string[], ending: Ending) {
  const locked = await lockBatchesOf(tx, ids)
  const rows = await tx
    .selectFrom('payouts as p')
    .leftJoin('payoutBatches as b', 'b.id', 'p.batchId')
    .select(['p.id', 'p.sellerId', 'p.state', 'p.reason', 'p.batchId', 'b.provider', 'b.exportedAt'])
    .select(sql<boolean>`coalesce(b.first_sent_at < now() - interval '25 days', false)`.as('isLost'))
    .where('p.id', 'in', ids)
    .orderBy('p.id')
    .execute()
  if (rows.length < ids.length) throw new Failure(404, 'Not found')
  const tally = { marked: 0, waiting: 0, repeated: 0 }
  for (const { id, sellerId, state, reason, batchId, provider, isLost, exportedAt } of rows) {
    if (sellerId === staffId) throw OWN
    // skip a payout that was approved after the locks
    if (batchId !== null && !locked.has(batchId)) continue
    // before approval, staff may decline a payout but not mark it as sent
    if (state === 'requested' && ending.state !== 'failed')
      throw new Failure(409, 'Approve the payout first.', 'not_approved')
    const isStuck = state === 'processing' && reason !== null
    if (provider && isOpen(state) && !isStuck && !isLost) throw PROVIDER_DECIDES
    if (provider && state === 'sent') throw PROVIDER_DECIDES
    // the bank may have paid the payouts of the file
    const isRisky = exportedAt !== null && (ending.state === 'failed' || ending.state === 'returned')
    const decision = { payoutId: id, act: ending.state as ConfirmedAct, staffId }
    if (isRisky && !(await isConfirmed(tx, decision, tally))) continue
    if (!(await settleIn(tx, payouts, id, ending, { batchId }))) continue
    tally.marked += 1
    const details: Record<string, string> = 'reason' in ending && ending.reason ? { reason: ending.reason } : {}
    await recordAct(tx, { actorId: staffId, act: `payout.${ending.state as 'sent'}`, subjectId: id, details })
  }
  const { marked, waiting, repeated } = tally
  if (marked + waiting === 0)
    throw repeated > 0
      ? OWN_DECISION
      : new Failure(409, 'Another member of staff was faster. Please look again.', 'decided')
  for (const batchId of locked) await closeBatch(tx, batchId)
  return { marked, waiting }
}
