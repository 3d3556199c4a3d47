import { sql } from 'kysely'
import { recordAct } from '../../identity/audit/audit.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'

// The second person of staff: the first decision about a payout waits in a row until another member of staff makes the same one.

export type ConfirmedAct = 'approved' | 'failed' | 'returned'

export const OWN_DECISION = new Failure(
  409,
  'You decided this already. Another member of staff has to confirm it.',
  'second_person',
)

type Decision = { payoutId: string; act: ConfirmedAct; staffId: string }

/** Whether another member of staff made the same decision before. If not, stores it; `isFirst` is false for a repeat. */
async function confirmDecision(
  tx: Tx,
  { payoutId, act, staffId }: Decision,
): Promise<{ isConfirmed: boolean; isFirst: boolean }> {
  const inserted = await tx
    .insertInto('payoutConfirmations')
    .values({ payoutId, act, staffId })
    .onConflict((conflict) => conflict.columns(['payoutId', 'act']).doNothing())
    .returning('staffId')
    .executeTakeFirst()
  if (inserted) {
    await recordAct(tx, { actorId: staffId, act: 'payout.asked', subjectId: payoutId, details: { as: act } })
    return { isConfirmed: false, isFirst: true }
  }
  const first = await tx
    .selectFrom('payoutConfirmations')
    .select('staffId')
    .where('payoutId', '=', payoutId)
    .where('act', '=', act)
    .executeTakeFirstOrThrow()
  return { isConfirmed: first.staffId !== staffId, isFirst: false }
}

/** Forgets approvals of payouts that were approved: one that returns to the queue needs two people again. */
export async function forgetApprovals(tx: Tx, payoutIds: string[]) {
  await tx.deleteFrom('payoutConfirmations').where('payoutId', 'in', payoutIds).where('act', '=', 'approved').execute()
}

/** SQL of what the seller of the payout `p` was sent within a week or waits for. Slices of a large payout count together. */
export const sevenDaysCents = sql<number>`(SELECT coalesce(sum(w.amount_cents), 0)::bigint FROM payouts w
  WHERE w.seller_id = p.seller_id AND w.state IN ('requested', 'approved', 'processing', 'sent')
    AND (w.approved_at IS NULL OR w.approved_at > now() - interval '7 days'))`

export type Tally = { waiting: number; repeated: number }

/** Whether another member of staff made the same decision. Otherwise counts it as waiting, or as repeated. */
export async function isConfirmed(tx: Tx, decision: Decision, tally: Tally): Promise<boolean> {
  const confirmed = await confirmDecision(tx, decision)
  if (confirmed.isFirst) tally.waiting += 1
  else if (!confirmed.isConfirmed) tally.repeated += 1
  return confirmed.isConfirmed
}
