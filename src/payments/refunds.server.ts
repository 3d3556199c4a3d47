import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import type { RefundsTable } from '../kit/tables.ts'
import type { Payment } from './payments.server.ts'

// The row comes first: its id is the provider's request id, so that a refund is made once however often it is tried.

export type Refund = Selectable<RefundsTable>

type NewRefund = { paymentId: string; amountCents: number; reason: string }

/** Writes a refund down without asking the provider for it: one that was made at the provider's own desk. */
export const recordRefund = (tx: Tx, refund: NewRefund): Promise<Refund> =>
  tx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<Refund> {
  const row = await recordRefund(tx, refund)
  await addJob(tx, 'refund', { id: row.id }, { key: `refund:${row.id}` })
  return row
}

/** Asks for money to be given back. The payment is locked; the sum of refunds never passes what was captured (409). */
export async function requestRefund(tx: Tx, payment: Payment, amountCents: number, reason: string): Promise<Refund> {
  if (payment.status !== 'captured' && payment.status !== 'part_refunded')
    throw new Failure(409, 'There is no money to give back.', 'not_captured')
  if (amountCents <= 0) throw new Failure(409, 'All of it is given back already.', 'refund_too_large')
  if (amountCents + (await refundedCents(tx, payment.id)) > payment.amountCents) {
    throw new Failure(409, 'More than was paid cannot be given back.', 'refund_too_large')
  }
  return insertRefund(tx, { paymentId: payment.id, amountCents, reason })
}

/** Requested and completed refunds of a payment, in cents. */
export async function refundedCents(tx: Tx, paymentId: string): Promise<number> {
  const row = await tx
    .selectFrom('refunds')
    .select((refund) => refund.fn.coalesce(refund.fn.sum<string>('amountCents'), sql<string>`0`).as('cents'))
    .where('paymentId', '=', paymentId)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow()
  return Number(row.cents)
}

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
