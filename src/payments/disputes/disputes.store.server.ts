import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { DisputesTable } from '../../kit/tables.ts'
import { type Payment, providerAccount, recordTransfer } from '../payments.store.server.ts'
import type { DisputeTruth } from '../provider.ts'
import { refundedCents } from '../refunds.store.server.ts'

// Disputed payments, and the ledger's account of disputed money. Checkout decides when a state changes.

export type Dispute = Selectable<DisputesTable>

/** Money that the provider keeps until a dispute ends: the shop's or the buyer's. */
export const DISPUTED = 'disputed'

export const findDisputeAt = (db: Db | Tx, provider: string, ref: string): Promise<Dispute | undefined> =>
  db
    .selectFrom('disputes')
    .selectAll()
    .where('provider', '=', provider)
    .where('providerDisputeId', '=', ref)
    .executeTakeFirst()

export const findDispute = (db: Db | Tx, id: string): Promise<Dispute | undefined> =>
  db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst()

/** The order and the payment are locked. */
export const lockDispute = (tx: Tx, id: string): Promise<Dispute> =>
  tx.selectFrom('disputes').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** A dispute of the payment that has not ended. */
export const findOpenDispute = (db: Db | Tx, paymentId: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('disputes')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

export async function insertDispute(
  tx: Tx,
  payment: Payment,
  userId: string,
  { ref, amountCents, reason, openedAt }: DisputeTruth,
): Promise<Dispute> {
  const { id: paymentId, orderId, provider } = payment
  return tx
    .insertInto('disputes')
    .values({
      ...{ paymentId, orderId, userId, provider, providerDisputeId: ref, amountCents, openedAt },
      reason: reason.slice(0, 200),
      state: 'needs_evidence',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Change = Partial<
  Pick<
    Dispute,
    | 'state'
    | 'amountCents'
    | 'heldCents'
    | 'reason'
    | 'evidenceDueAt'
    | 'refundId'
    | 'evidenceId'
    | 'evidenceNote'
    | 'evidenceBy'
    | 'evidenceRefusal'
  >
>

export async function changeDispute(
  tx: Tx,
  id: string,
  change: Change,
  at: { isEnded?: boolean; isSent?: boolean } = {},
) {
  await tx
    .updateTable('disputes')
    .set({
      ...change,
      lookedAt: now,
      ...(at.isEnded && { endedAt: now }),
      ...(at.isSent && { evidenceSentAt: now }),
    })
    .where('id', '=', id)
    .execute()
}

/** What of a payment a dispute can hold: neither refunded, nor held by another dispute. */
export async function readHoldableCents(tx: Tx, payment: Payment, disputeId: string): Promise<number> {
  const { cents } = await tx
    .selectFrom('disputes')
    .select(sql<number>`coalesce(sum(held_cents), 0)::float8`.as('cents'))
    .where('paymentId', '=', payment.id)
    .where('id', '<>', disputeId)
    .executeTakeFirstOrThrow()
  return Math.max(0, payment.amountCents - (await refundedCents(tx, payment.id, ['completed'])) - cents)
}

/** Makes the ledger hold `wantedCents` for a dispute: from the provider's account, or back to it. */
export async function holdDisputed(tx: Tx, payment: Payment, dispute: Dispute, wantedCents: number) {
  const more = wantedCents - dispute.heldCents
  if (more === 0) return
  await recordTransfer(tx, payment.id, [
    { account: providerAccount(payment), amountCents: -more },
    { account: DISPUTED, amountCents: more },
  ])
  await changeDispute(tx, dispute.id, { heldCents: wantedCents })
}

/** Open disputes that nobody looked at for `minutes`, oldest look first. */
export async function findIdleDisputes(db: Db, minutes: number, limit: number): Promise<Dispute[]> {
  return db
    .selectFrom('disputes')
    .selectAll()
    .where('endedAt', 'is', null)
    .where('lookedAt', '<', sql<Date>`now() - ${minutes} * interval '1 minute'`)
    .orderBy('lookedAt')
    .limit(limit)
    .execute()
}

/** Moves a dispute to the end of the queue of looks. */
export const touchDispute = (db: Db | Tx, id: string) =>
  db.updateTable('disputes').set({ lookedAt: now }).where('id', '=', id).execute()
