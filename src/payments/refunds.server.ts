import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import type { RefundsTable } from '../kit/tables.ts'
import type { Payment } from './payments.server.ts'

// The row comes first: its id is the provider's request id, so that a refund is made once however often it is tried.

export type Refund = Selectable<RefundsTable>

type NewRefund = { paymentId: string; amountCents: number; reason: string }

/** Writes down a refund that was made at the provider's own desk. */
export const recordRefund = (tx: Tx, refund: NewRefund & { providerRefundId: string }): Promise<Refund> =>
  tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<Refund> {
  const row = await tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()
  await enqueueRefund(tx, row.id)
  return row
}

const enqueueRefund = (tx: Tx | Db, id: string) => addJob(tx, 'refund', { id }, { key: `refund:${id}` })

/** Asks again for refunds that nobody has worked on for a while: their job was lost or has given up. */
export async function takeUpRefunds(db: Db) {
  const idle = await db
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'requested')
    .where('updatedAt', '<', sql<Date>`now() - interval '10 minutes'`)
    .limit(100)
    .execute()
  for (const { id } of idle) await enqueueRefund(db, id)
}

/**
 * Asks for money to be given back. The payment is locked; the sum of refunds never passes what was captured (409). Money
 * that never became goods is given back whole, and again when the provider has refused that for good.
 */
export async function requestRefund(
  tx: Tx,
  payment: Payment,
  amountCents: number | undefined,
  reason: string,
): Promise<Refund> {
  const before = await refundedCents(tx, payment.id, ['requested', 'completed'])
  if (payment.status === 'mismatched') {
    if (before > 0) throw new Failure(409, 'All of it is given back already.', 'refund_too_large')
    const refused = await tx
      .selectFrom('refunds')
      .select('amountCents')
      .where('paymentId', '=', payment.id)
      .executeTakeFirstOrThrow()
    return insertRefund(tx, { paymentId: payment.id, amountCents: refused.amountCents, reason })
  }
  if (payment.status !== 'captured' && payment.status !== 'part_refunded')
    throw new Failure(409, 'There is no money to give back.', 'not_captured')
  const wanted = amountCents ?? payment.amountCents - before
  if (wanted <= 0) throw new Failure(409, 'All of it is given back already.', 'refund_too_large')
  if (wanted + before > payment.amountCents) {
    throw new Failure(409, 'More than was paid cannot be given back.', 'refund_too_large')
  }
  return insertRefund(tx, { paymentId: payment.id, amountCents: wanted, reason })
}

/** The sum of a payment's refunds in these states, in cents. */
export async function refundedCents(tx: Tx, paymentId: string, statuses: Refund['status'][]): Promise<number> {
  const row = await tx
    .selectFrom('refunds')
    .select((refund) => refund.fn.coalesce(refund.fn.sum<string>('amountCents'), sql<string>`0`).as('cents'))
    .where('paymentId', '=', paymentId)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return Number(row.cents)
}

export const findRefundAtProvider = (tx: Tx, providerRefundId: string): Promise<Refund | undefined> =>
  tx.selectFrom('refunds').selectAll().where('providerRefundId', '=', providerRefundId).executeTakeFirst()

export const findRefund = (db: Db | Tx, id: string): Promise<Refund | undefined> =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

export const lockRefund = (tx: Tx, id: string): Promise<Refund> =>
  tx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export async function changeRefund(tx: Tx, id: string, change: Partial<Pick<Refund, 'status' | 'providerRefundId'>>) {
  await tx
    .updateTable('refunds')
    .set({ ...change, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
}
