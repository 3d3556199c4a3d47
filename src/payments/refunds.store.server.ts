import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { addJob, laneOf } from '../kit/jobs.server.ts'
import type { RefundsTable } from '../kit/tables.ts'
import type { Payment } from './payments.store.server.ts'
import { insertRefundLines, type RefundLine } from './refunds/refundLines.store.server.ts'

// The row comes first: its id is the provider's idempotency key, so that retries make one refund.

export type Refund = Selectable<RefundsTable>
/** `ageMinutes` counts from the row's creation, which precedes the first request, by the database's clock. */
export type AgedRefund = Refund & { ageMinutes: number }

/** The staff member who asked; from a browser also the idempotency key, with a hash of the request. */
export type AskedBy = { askedBy: string | null; askKey?: string; askHash?: string }
type NewRefund = { paymentId: string; amountCents: number; creditCents?: number; reason: string }

/** Records a refund that was made in the provider's dashboard. */
export const recordRefund = (tx: Tx, refund: NewRefund & { providerRefundId: string }): Promise<Refund> =>
  tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export async function insertRefund(
  tx: Tx,
  refund: NewRefund & Partial<AskedBy> & { isByBuyer?: boolean },
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

/** Enqueues refunds whose job was lost or gave up, oldest request first, so that failing ones do not block the queue. */
export async function requeueRefunds(db: Db) {
  const idle = await sql<{ id: string }>`UPDATE refunds SET taken_up_at = now() WHERE id IN (
      SELECT id FROM refunds
      WHERE status = 'requested' AND greatest(updated_at, taken_up_at) < now() - interval '10 minutes'
      ORDER BY greatest(updated_at, taken_up_at) LIMIT ${AT_ONCE}) RETURNING id`.execute(db)
  for (const { id } of idle.rows) await enqueueRefund(db, id)
}

/** The payment to refund: first one whose money bought no goods, otherwise the captured one. */
export async function findRefundable(db: Db | Tx, payments: Payment[]): Promise<Payment | undefined> {
  const unused = payments.filter(isUnused)
  for (const payment of unused) if ((await readLeftCents(db, payment)) > 0) return payment
  return payments.find(({ status }) => status === 'captured' || status === 'part_refunded') ?? unused[0]
}

export const isUnused = ({ status }: Pick<Payment, 'status'>) => status === 'mismatched'

/**
 * The refundable rest of a payment in cents: captured, minus refunds that are completed or under way. Money that bought no
 * goods is refunded whole, and again after the provider refused it.
 */
export async function readLeftCents(db: Db | Tx, payment: Payment): Promise<number> {
  const before = await refundedCents(db, payment.id, ['requested', 'completed'])
  if (!isUnused(payment)) return payment.amountCents - before
  return (await mismatchedCents(db, payment.id)) - before
}

/** What a refund returns: money through the provider, and store credit. `lines` are those that it names. */
export type RefundWanted = { amountCents: number; creditCents: number; lines: RefundLine[] }

/** The store credit of an order that refunds of its payment have not returned, and are not about to. */
export async function readCreditLeftCents(
  db: Db | Tx,
  payment: Payment,
  order: { creditCents: number },
  statuses: Refund['status'][] = ['requested', 'completed'],
): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(credit_cents), 0)::float8`.as('cents'))
    .where('paymentId', '=', payment.id)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return order.creditCents - cents
}

export async function refundedCents(db: Db | Tx, paymentId: string, statuses: Refund['status'][]): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::float8`.as('cents'))
    .where('paymentId', '=', paymentId)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return cents
}

/** All that refunds of a payment returned or are about to: money and store credit. */
export async function readGivenCents(db: Db | Tx, paymentId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_cents + credit_cents), 0)::float8`.as('cents'))
    .where('paymentId', '=', paymentId)
    .where('status', 'in', ['requested', 'completed'])
    .executeTakeFirstOrThrow()
  return cents
}

/** Refunds since `at` that the provider made and the shop did not request. The id of a lost dispute tells it from a refund. */
export async function readUnaskedCents(tx: Tx, payment: Payment, at: Date): Promise<number> {
  const { cents } = await tx
    .selectFrom('refunds')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::float8`.as('cents'))
    .where('paymentId', '=', payment.id)
    .where('status', '=', 'completed')
    .where('askedBy', 'is', null)
    .where('reason', '=', UNASKED)
    .where('createdAt', '>', at)
    .executeTakeFirstOrThrow()
  return cents
}

/** The reason of a refund that was made in the provider's dashboard. */
export const UNASKED = 'refunded at the payment provider'

/** What a mismatched payment took, in cents of its currency: its first refund was requested for all of it. */
export async function mismatchedCents(db: Db | Tx, paymentId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .select(
      sql<number>`greatest(
      (array_agg(amount_cents ORDER BY created_at, id))[1],
      sum(amount_cents) FILTER (WHERE status = 'completed'))::float8`.as('cents'),
    )
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow()
  return cents
}

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

/** Staff took back this much of the credit that it became. */
export async function markReclaimed(tx: Tx, id: string, reclaimedCents: number) {
  await tx.updateTable('refunds').set({ reclaimedAt: now, reclaimedCents }).where('id', '=', id).execute()
}

export const findRefundAsked = (tx: Tx, askedBy: string, askKey: string): Promise<Refund | undefined> =>
  tx.selectFrom('refunds').selectAll().where('askedBy', '=', askedBy).where('askKey', '=', askKey).executeTakeFirst()

export const findRefund = (db: Db | Tx, id: string): Promise<AgedRefund | undefined> =>
  db
    .selectFrom('refunds')
    .selectAll()
    .select(sql<number>`(extract(epoch FROM now() - created_at) / 60)::float8`.as('ageMinutes'))
    .where('id', '=', id)
    .executeTakeFirst()

export const lockRefund = (tx: Tx, id: string): Promise<Refund> =>
  tx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Marks a requested refund as refused. A refund that was booked meanwhile stays booked. */
export async function failRefund(db: Db, id: string, refusal: string) {
  await db
    .updateTable('refunds')
    .set({ status: 'failed', refusal: refusal.slice(0, 200), updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'requested')
    .execute()
}

/** Adds the provider's id to a booked refund and keeps the time of booking. */
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
