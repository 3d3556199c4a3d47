import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { addJob, laneOf } from '../kit/jobs.server.ts'
import type { RefundsTable } from '../kit/tables.ts'
import { only } from '../kit/values/required.ts'
import type { Payment } from './payments.store.server.ts'
import { insertRefundLines, type RefundLine } from './refunds/refundLines.store.server.ts'
import * as statements from './refunds/refunds.statements.server.ts'

// The shop stores the refund before the request. The row's id is the idempotency key, so retries make one refund.

export type Refund = Selectable<RefundsTable>
/** `ageMinutes` counts from the row's creation, before the first request, by the database's clock. */
export type AgedRefund = Refund & { ageMinutes: number }

/** `askedBy` is the staff member, the buyer or the seller. Requests from a browser have an idempotency key and a hash of the request. */
export type AskedBy = { askedBy: string | null; askKey?: string; askHash?: string }
type NewRefund = { paymentId: string; amountCents: number; creditCents?: number; reason: string }

/** Records a refund that staff made in the provider's dashboard. */
export const recordRefund = (tx: Tx, refund: NewRefund & { providerRefundId: string }): Promise<Refund> =>
  tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export async function insertRefund(
  tx: Tx,
  refund: NewRefund & Partial<AskedBy> & { isByBuyer?: boolean; isBySeller?: boolean },
  lines: RefundLine[] = [],
): Promise<Refund> {
  const row = await tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()
  await insertRefundLines(tx, row.id, lines)
  await enqueueRefund(tx, row.id)
  return row
}

export async function enqueueRefund(tx: Tx | Db, id: string) {
  const { provider } = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select('payments.provider')
    .where('refunds.id', '=', id)
    .executeTakeFirstOrThrow()
  await addJob(tx, 'refund', { id }, { key: `refund:${id}`, queue: laneOf(provider, id) })
}

const AT_ONCE = 100

/** Enqueues refunds whose job was lost or gave up. Oldest request first, so that failures block no others. */
export async function requeueRefunds(db: Db) {
  const idle = await statements.markIdle(db, { most: AT_ONCE })
  for (const { id } of idle) await enqueueRefund(db, id)
}

/** Finds the payment to refund: a payment that bought no goods, otherwise the captured one. */
export async function findRefundable(db: Db | Tx, payments: Payment[]): Promise<Payment | undefined> {
  const unused = payments.filter(isUnused)
  for (const payment of unused) if ((await readLeftCents(db, payment)) > 0) return payment
  return payments.find(({ status }) => status === 'captured' || status === 'part_refunded') ?? unused[0]
}

export const isUnused = ({ status }: Pick<Payment, 'status'>) => status === 'mismatched'

/**
 * Reads the refundable amount in cents: captured minus refunded or requested. Money that bought no goods is refunded in
 * full, and again if the provider refused.
 */
export async function readLeftCents(db: Db | Tx, payment: Payment): Promise<number> {
  const before = await refundedCents(db, payment.id, ['requested', 'completed'])
  if (!isUnused(payment)) return payment.amountCents - before
  return (await mismatchedCents(db, payment.id)) - before
}

/** A refund consists of money through the provider and store credit. `lines` are the lines that it names. */
export type RefundWanted = { amountCents: number; creditCents: number; lines: RefundLine[] }

/** Reads the store credit of an order that no refund has returned or is about to return. */
export async function readCreditLeftCents(
  db: Db | Tx,
  payment: Payment,
  order: { creditCents: number },
  statuses: Refund['status'][] = ['requested', 'completed'],
): Promise<number> {
  const { creditCents } = await sumOf(db, payment.id, statuses)
  return order.creditCents - creditCents
}

const sumOf = async (db: Db | Tx, paymentId: string, statuses: Refund['status'][]) =>
  only(await statements.sumRefunds(db, { paymentId, statuses }))

export const refundedCents = async (db: Db | Tx, paymentId: string, statuses: Refund['status'][]): Promise<number> =>
  (await sumOf(db, paymentId, statuses)).amountCents

/** Sums the completed and requested refunds of a payment: money and store credit. */
export async function readGivenCents(db: Db | Tx, paymentId: string): Promise<number> {
  const { amountCents, creditCents } = await sumOf(db, paymentId, ['requested', 'completed'])
  return amountCents + creditCents
}

/** Sums the provider's unrequested refunds since `at`. The id of a lost dispute distinguishes it from a refund. */
export const readUnaskedCents = async (tx: Tx, payment: Payment, at: Date): Promise<number> =>
  only(await statements.sumUnasked(tx, { paymentId: payment.id, reason: UNASKED, since: at })).cents

/** The reason of a refund made in the provider's dashboard. */
export const UNASKED = 'refunded at the payment provider'

/** The captured amount of a mismatched payment, in cents of its currency. Its first refund requested all of it. */
export const mismatchedCents = async (db: Db | Tx, paymentId: string): Promise<number> =>
  only(await statements.readMismatched(db, { paymentId })).cents

export const findRefundAtProvider = (tx: Tx, providerRefundId: string): Promise<Refund | undefined> =>
  tx.selectFrom('refunds').selectAll().where('providerRefundId', '=', providerRefundId).executeTakeFirst()

export const hasRefundUnderWay = async (db: Db, paymentId: string): Promise<boolean> =>
  (await db
    .selectFrom('refunds')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'requested')
    .executeTakeFirst()) !== undefined

export const lockRefundAtProvider = (
  tx: Tx,
  paymentId: string,
  providerRefundId: string,
): Promise<Refund | undefined> =>
  tx
    .selectFrom('refunds')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .where('providerRefundId', '=', providerRefundId)
    .forUpdate()
    .executeTakeFirst()

export async function markBounced(tx: Tx, id: string) {
  await tx.updateTable('refunds').set({ bouncedAt: now }).where('id', '=', id).execute()
}

/** Records how much of the refunded store credit staff took back. */
export async function markReclaimed(tx: Tx, id: string, reclaimedCents: number) {
  await tx.updateTable('refunds').set({ reclaimedAt: now, reclaimedCents }).where('id', '=', id).execute()
}

export const findRefundAsked = (tx: Tx, askedBy: string, askKey: string): Promise<Refund | undefined> =>
  tx.selectFrom('refunds').selectAll().where('askedBy', '=', askedBy).where('askKey', '=', askKey).executeTakeFirst()

export const findRefund = async (db: Db | Tx, id: string): Promise<AgedRefund | undefined> =>
  (await statements.findRefund(db, { id }))[0]

export const lockRefund = (tx: Tx, id: string): Promise<Refund> =>
  tx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Marks a requested refund as refused. Leaves a refund that was completed in the meantime. */
/** Returns false if the refund had ended before. */
export async function failRefund(db: Db | Tx, id: string, refusal: string): Promise<boolean> {
  const failed = await db
    .updateTable('refunds')
    .set({ status: 'failed', refusal: refusal.slice(0, 200), updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'requested')
    .returning('id')
    .executeTakeFirst()
  return failed !== undefined
}

/** Adds the provider's id to a completed refund without changing the completion time. */
export async function nameRefund(tx: Tx, id: string, providerRefundId: string) {
  await tx.updateTable('refunds').set({ providerRefundId }).where('id', '=', id).execute()
}

type Change = Partial<
  Pick<Refund, 'status' | 'amountCents' | 'creditCents' | 'providerRefundId' | 'refusal' | 'settledBy'>
>

export async function changeRefund(tx: Tx, id: string, change: Change) {
  await tx
    .updateTable('refunds')
    .set({ ...change, updatedAt: now })
    .where('id', '=', id)
    .execute()
}
