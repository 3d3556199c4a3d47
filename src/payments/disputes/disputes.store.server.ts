import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { DisputesTable } from '../../kit/tables.ts'
import { providerAccount, recordTransfer } from '../ledger/transfers.store.server.ts'
import type { Payment } from '../payments.store.server.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './disputes.statements.server.ts'
import type { DisputeTruth } from './disputes.ts'
import { refundedCents } from '../refunds.store.server.ts'

export type Dispute = Selectable<DisputesTable>

/** Holds the money that the provider withholds during a dispute. The outcome decides its owner. */
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

export const lockDispute = (tx: Tx, id: string): Promise<Dispute> =>
  tx.selectFrom('disputes').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const findOpenDispute = (db: Db | Tx, paymentId: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('disputes')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('endedAt', 'is', null)
    .where('stage', '<>', 'warning')
    .executeTakeFirst()

export const findDisputeOn = (db: Db | Tx, paymentId: string): Promise<Dispute | undefined> =>
  db
    .selectFrom('disputes')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .where('stage', '<>', 'warning')
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()

/** Finds a dispute of the payment with this disputed or lost amount. It must be open, or lost less than a day ago. */
export const findDisputeOf = async (
  db: Db | Tx,
  paymentId: string,
  amountCents: number,
): Promise<Dispute | undefined> => (await statements.findBySum(db, { paymentId, amountCents }))[0]

export const hasLostDispute = async (db: Db | Tx, paymentId: string): Promise<boolean> =>
  (await db
    .selectFrom('disputes')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('state', '=', 'lost')
    .executeTakeFirst()) !== undefined

export async function insertDispute(
  tx: Tx,
  payment: Payment,
  userId: string,
  { ref, amountCents, reason, openedAt, stage }: DisputeTruth,
): Promise<Dispute> {
  const { id: paymentId, orderId, provider } = payment
  return tx
    .insertInto('disputes')
    .values({
      ...{ paymentId, orderId, userId, provider, providerDisputeId: ref, amountCents, openedAt, stage },
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
    | 'settledBy'
    | 'stage'
    | 'lostCents'
    | 'missingSince'
  >
>

export async function changeDispute(
  tx: Tx,
  id: string,
  change: Change,
  at: { isEnded?: boolean; isOpen?: boolean; isSent?: boolean } = {},
) {
  await tx
    .updateTable('disputes')
    .set({
      ...change,
      lookedAt: now,
      ...(at.isEnded && { endedAt: now }),
      ...(at.isOpen && { endedAt: null }),
      ...(at.isSent && { evidenceSentAt: now }),
    })
    .where('id', '=', id)
    .execute()
}

/** Records that the provider does not know the dispute. Returns false if that was recorded before. */
export async function markMissing(db: Db, id: string): Promise<boolean> {
  const marked = await db
    .updateTable('disputes')
    .set({ missingSince: now })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('missingSince', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/** Reads the amount that the dispute can hold: neither refunded nor held by another dispute. */
export async function readHoldableCents(tx: Tx, payment: Payment, disputeId: string): Promise<number> {
  const { cents } = only(await statements.sumHeld(tx, { paymentId: payment.id, exceptId: disputeId }))
  return Math.max(0, payment.amountCents - (await refundedCents(tx, payment.id, ['completed'])) - cents)
}

/** Adjusts the ledger to hold `wantedCents` for the dispute. Moves the difference from or to the provider's account. */
export async function holdDisputed(tx: Tx, payment: Payment, dispute: Dispute, wantedCents: number) {
  const more = wantedCents - dispute.heldCents
  if (more === 0) return
  await recordTransfer(tx, payment.id, [
    { account: providerAccount(payment), amountCents: -more },
    { account: DISPUTED, amountCents: more },
  ])
  await changeDispute(tx, dispute.id, { heldCents: wantedCents })
}

/**
 * Finds open disputes that the shop last read at least `minutes` ago, oldest first. Includes won disputes once a day
 * for 30 days, because a buyer may appeal.
 */
export const findIdleDisputes = (db: Db, provider: string, minutes: number, limit: number): Promise<Dispute[]> =>
  statements.listIdle(db, { provider, minutes, most: limit })

/** Moves a dispute to the end of the polling queue. */
export const touchDispute = (db: Db | Tx, id: string) =>
  db.updateTable('disputes').set({ lookedAt: now }).where('id', '=', id).execute()
