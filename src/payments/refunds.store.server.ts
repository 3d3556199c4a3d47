import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import type { RefundsTable } from '../kit/tables.ts'
import type { Payment } from './payments.store.server.ts'

// The row comes first: its id is the provider's request id, so that a refund is made once however often it is tried.

export type Refund = Selectable<RefundsTable>
/** `ageMinutes`: since it was asked for, which is before its first request, by the database's clock. */
export type AgedRefund = Refund & { ageMinutes: number }

/** Who of the staff asked; and from a browser the key that makes what was asked one refund, with a hash of what it was. */
export type AskedBy = { askedBy: string | null; askKey?: string; askHash?: string }
type NewRefund = { paymentId: string; amountCents: number; reason: string }

/** Writes down a refund that was made at the provider's own desk. */
export const recordRefund = (tx: Tx, refund: NewRefund & { providerRefundId: string }): Promise<Refund> =>
  tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export async function insertRefund(tx: Tx, refund: NewRefund & Partial<AskedBy>): Promise<Refund> {
  const row = await tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()
  await enqueueRefund(tx, row.id)
  return row
}

const enqueueRefund = (tx: Tx | Db, id: string) => addJob(tx, 'refund', { id }, { key: `refund:${id}` })

const AT_ONCE = 100

/**
 * Asks again for refunds that nobody has worked on for a while, as their job was lost or has given up; the one first that
 * was asked for longest ago, so that those that fail each time keep no other out.
 */
export async function takeUpRefunds(db: Db) {
  const lastLook = sql<Date>`greatest(updated_at, taken_up_at)`
  const waiting = db
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'requested')
    .where(lastLook, '<', sql<Date>`now() - interval '10 minutes'`)
    .orderBy(lastLook)
    .limit(AT_ONCE)
  const idle = await db
    .updateTable('refunds')
    .set({ takenUpAt: sql<Date>`now()` })
    .where('id', 'in', waiting)
    .returning('id')
    .execute()
  for (const { id } of idle) await enqueueRefund(db, id)
}

/**
 * The payment whose money can be given back: one that never became goods as long as it is owed, else the one that was
 * captured.
 */
export async function findRefundable(db: Db | Tx, payments: Payment[]): Promise<Payment | undefined> {
  const unused = payments.filter(isUnused)
  for (const payment of unused) if ((await readLeftCents(db, payment)) > 0) return payment
  return payments.find(({ status }) => status === 'captured' || status === 'part_refunded') ?? unused[0]
}

/** Its money never became goods. */
export const isUnused = ({ status }: Pick<Payment, 'status'>) => status === 'mismatched'

/**
 * What can still be asked for of a payment, in cents: what was captured without the refunds that are made or under way.
 * Money that never became goods goes back whole, and again when the provider has refused that for good.
 */
export async function readLeftCents(db: Db | Tx, payment: Payment): Promise<number> {
  const before = await refundedCents(db, payment.id, ['requested', 'completed'])
  if (!isUnused(payment)) return payment.amountCents - before
  return (await mismatchedCents(db, payment.id)) - before
}

/**
 * Asks for money to be given back, all that is left when `amountCents` is left out. The payment is locked; the sum of
 * refunds never passes what was captured (409).
 */
export async function requestRefund(
  tx: Tx,
  payment: Payment,
  amountCents: number | undefined,
  reason: string,
  by: AskedBy = { askedBy: null },
): Promise<Refund> {
  const left = await readLeftCents(tx, payment)
  if (left <= 0) throw new Failure(409, 'All of it is given back already.', 'refund_too_large')
  const wanted = amountCents ?? left
  if (isUnused(payment) && wanted !== left)
    throw new Failure(409, 'What could not be used goes back whole.', 'refund_whole_only')
  if (wanted > left) throw new Failure(409, 'More than was paid cannot be given back.', 'refund_too_large')
  return insertRefund(tx, { paymentId: payment.id, amountCents: wanted, reason, ...by })
}

/** The sum of a payment's refunds in these states, in cents. */
export async function refundedCents(db: Db | Tx, paymentId: string, statuses: Refund['status'][]): Promise<number> {
  const row = await db
    .selectFrom('refunds')
    .select((refund) => refund.fn.coalesce(refund.fn.sum<string>('amountCents'), sql<string>`0`).as('cents'))
    .where('paymentId', '=', paymentId)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return Number(row.cents)
}

/**
 * What was taken with a payment that did not fit, in cents of whatever currency: its first refund was asked for with it,
 * and may be smaller by now than what went back before it.
 */
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

/** The provider refused it; what was booked meanwhile stays booked. */
export async function failRefund(db: Db, id: string, refusal: string) {
  await db
    .updateTable('refunds')
    .set({ status: 'failed', refusal: refusal.slice(0, 200), updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'requested')
    .execute()
}

/** Money that is booked already has its name at the provider now; when it went back stays as it was. */
export async function nameRefund(tx: Tx, id: string, providerRefundId: string) {
  await tx.updateTable('refunds').set({ providerRefundId }).where('id', '=', id).execute()
}

type Change = Partial<Pick<Refund, 'status' | 'amountCents' | 'providerRefundId' | 'refusal'>>

export async function changeRefund(tx: Tx, id: string, change: Change) {
  await tx
    .updateTable('refunds')
    .set({ ...change, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}
