import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob, type Job, laneOf } from '../kit/jobs.server.ts'
import { deleteOld } from '../kit/schema/retention.server.ts'
import type { RiskHoldsTable } from '../kit/tables.ts'

export type Hold = Selectable<RiskHoldsTable>
type How = NonNullable<Hold['resolvedHow']>

// The shop's own limit. After it, undelivered orders are refunded in full.
const HOLD_HOURS = 24

type NewHold = { orderId: string; userId: string; decisionId: string; isClearedByConfirming: boolean }

/** Holds an unpaid order until its buyer confirms it or the order expires. */
export async function askToConfirm(tx: Tx, hold: NewHold) {
  const endsAt = tx.selectFrom('orders').select('expiresAt').where('id', '=', hold.orderId)
  await tx
    .insertInto('riskHolds')
    .values({ ...hold, kind: 'step_up', endsAt })
    .onConflict((conflict) => conflict.columns(['orderId', 'kind']).doNothing())
    .execute()
}

/** Holds the goods of a captured payment for review. Returns the end of the hold. */
export async function holdBack(tx: Tx, hold: NewHold & { paymentId: string }): Promise<Date> {
  const { endsAt } = await tx
    .insertInto('riskHolds')
    .values({ ...hold, kind: 'hold', endsAt: sql<Date>`now() + ${HOLD_HOURS} * interval '1 hour'` })
    .returning('endsAt')
    .executeTakeFirstOrThrow()
  return endsAt
}

/** Locks the hold, so that a concurrent decision waits for the new state of the payment. */
export const lockHold = (tx: Tx, orderId: string, kind: Hold['kind']): Promise<Hold | undefined> =>
  tx
    .selectFrom('riskHolds')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()

export const DECIDED = new Failure(409, 'This has been decided already.', 'decided')

/** Resolves a locked hold. A job then settles the captured payment: it delivers or refunds. */
export async function resolveHold(tx: Tx, hold: Hold, how: How, by: string | null) {
  if (hold.state !== 'open') throw DECIDED
  await tx
    .updateTable('riskHolds')
    .set({
      state: how === 'confirmed' || how === 'approved' ? 'released' : 'refused',
      resolvedHow: how,
      resolvedBy: by,
      resolvedAt: now,
    })
    .where('id', '=', hold.id)
    .execute()
  if (hold.paymentId) await enqueueLook(tx, hold.paymentId)
}

async function enqueueLook(tx: Tx, id: string) {
  const { provider } = await tx.selectFrom('payments').select('provider').where('id', '=', id).executeTakeFirstOrThrow()
  await addJob(tx, 'reconcile_payment', { id }, { key: `reconcile:${id}`, queue: laneOf(provider, id) })
}

/** Resolves expired holds: captured money is refunded, and unconfirmed orders have expired too. */
export async function expireHolds(db: Db) {
  const late = await db
    .selectFrom('riskHolds')
    .select(['orderId', 'kind'])
    .where('state', '=', 'open')
    .where('endsAt', '<=', now)
    .orderBy('endsAt')
    .limit(500)
    .execute()
  for (const { orderId, kind } of late) {
    await inTransaction(db, async (tx) => {
      const hold = await lockHold(tx, orderId, kind)
      if (hold?.state === 'open') await resolveHold(tx, hold, 'expired', null)
    })
  }
}

export const riskJobs = (db: Db, { keepRiskDays: days }: { keepRiskDays: number }): Job[] => [
  { name: 'risk_holds', pool: 'money', cron: '* * * * *', run: () => expireHolds(db) },
  {
    name: 'sweep_risk_decisions',
    pool: 'other',
    cron: '11 3 * * *',
    run: async () => {
      const where = sql`NOT EXISTS (SELECT FROM risk_holds WHERE decision_id = old.id)`
      await deleteOld(db, { table: 'riskDecisions', moment: 'createdAt', days, where })
    },
  },
]
