import { recordAct } from '../../identity/audit/audit.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'

// A row stores the first decision of staff about a payout until another member of staff confirms it.

export type ConfirmedAct = 'approved' | 'failed' | 'returned'

export const OWN_DECISION = new Failure(
  409,
  'You decided this already. Another member of staff has to confirm it.',
  'second_person',
)

type Decision = { payoutId: string; act: ConfirmedAct; staffId: string }

/** Confirms another member's decision, or stores this one as the first. `isFirst` is false for a repeat. */
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

export async function forgetApprovals(tx: Tx, payoutIds: string[]) {
  await tx.deleteFrom('payoutConfirmations').where('payoutId', 'in', payoutIds).where('act', '=', 'approved').execute()
}

export type Tally = { waiting: number; repeated: number }

/** Returns true if another member of staff made the same decision. Otherwise counts it as waiting or repeated. */
export async function isConfirmed(tx: Tx, decision: Decision, tally: Tally): Promise<boolean> {
  const confirmed = await confirmDecision(tx, decision)
  if (confirmed.isFirst) tally.waiting += 1
  else if (!confirmed.isConfirmed) tally.repeated += 1
  return confirmed.isConfirmed
}
