import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import type { PayoutsTable } from '../../kit/tables.ts'
import type { Facts, Method, Schedule } from './payout.rules.ts'
import * as statements from './payouts.statements.server.ts'
import { only } from '../../kit/values/required.ts'

// Accesses the tables of payouts. `send.server.ts` and other files decide when.

export type PayoutRow = Selectable<PayoutsTable>

export const OPEN_STATES = ['requested', 'approved', 'processing'] as const

export const findDetails = (db: Db | Tx, userId: string) =>
  db.selectFrom('payoutDetails').selectAll().where('userId', '=', userId).executeTakeFirst()

export const lockDetails = (tx: Tx, userId: string) =>
  tx.selectFrom('payoutDetails').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirst()

type NewDetails = { userId: string; method: Method; sealed: Buffer; label: string }

export async function saveDetails(tx: Tx, { userId, ...details }: NewDetails, waitHours: number) {
  const waitsUntil = sql<Date>`now() + ${waitHours} * interval '1 hour'`
  const values = { ...details, changedAt: now, rejection: null, waitsUntil }
  await tx
    .insertInto('payoutDetails')
    .values({ userId, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
}

/** Saves the schedule; payouts start next month. Returns false if the member has no payout details. */
export async function saveSchedule(tx: Tx, userId: string, schedule: Schedule): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payoutDetails')
    .set({ schedule, monthlyAt: now })
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Rejects payout details unless the seller changed them after the approval of the failed payout. */
export async function rejectDetails(tx: Tx, { sellerId, approvedAt }: PayoutRow, rejection: string) {
  await tx
    .updateTable('payoutDetails')
    .set({ rejection: rejection.slice(0, 300) })
    .where('userId', '=', sellerId)
    .where('changedAt', '<=', approvedAt!)
    .execute()
}

export async function closeMonth(tx: Tx, userId: string) {
  await tx.updateTable('payoutDetails').set({ monthlyAt: now }).where('userId', '=', userId).execute()
}

/** Makes a failed scheduled payout due again as soon as nothing holds it. */
export async function reopenMonth(tx: Tx, userId: string) {
  await tx
    .updateTable('payoutDetails')
    .set({ monthlyAt: sql<Date>`date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 day'` })
    .where('userId', '=', userId)
    .execute()
}

export const findDueSellers = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (await statements.listDue(db, { after, most: limit })).map(({ userId }) => userId)

export const isMonthDue = async (tx: Tx, userId: string): Promise<boolean> =>
  (await statements.findDue(tx, { userId })).length > 0

export const insertPayout = (tx: Tx, payout: { sellerId: string; amountCents: number; isScheduled: boolean }) =>
  tx.insertInto('payouts').values(payout).returningAll().executeTakeFirstOrThrow()

export const findPayout = (db: Db | Tx, id: string): Promise<PayoutRow | undefined> =>
  db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst()

export const lockPayout = (tx: Tx, id: string): Promise<PayoutRow | undefined> =>
  tx.selectFrom('payouts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

type Change = Partial<Pick<PayoutRow, 'state' | 'reason' | 'cause' | 'providerPayoutId'>>

export async function changePayout(tx: Tx, id: string, change: Change) {
  const isOver = change.state && !OPEN_STATES.some((state) => state === change.state)
  await tx
    .updateTable('payouts')
    .set({ ...change, ...(isOver && { endedAt: now }) })
    .where('id', '=', id)
    .execute()
}

export const readPayoutsOf = (db: Db | Tx, sellerId: string, limit: number): Promise<PayoutRow[]> =>
  db
    .selectFrom('payouts')
    .selectAll()
    .where('sellerId', '=', sellerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const findOpen = (db: Db | Tx, sellerId: string): Promise<Facts['open'] | undefined> =>
  db
    .selectFrom('payouts')
    .select(['state', 'amountCents', 'createdAt', 'reason'])
    .where('sellerId', '=', sellerId)
    .where('state', 'in', OPEN_STATES)
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()

export const isSuspended = async (db: Db | Tx, sellerId: string) =>
  (await db
    .selectFrom('suspensions')
    .select('id')
    .where('sellerId', '=', sellerId)
    .where('liftedAt', 'is', null)
    .executeTakeFirst()) !== undefined

type PayoutFacts = Pick<Facts, 'availableCents' | 'minimumCents' | 'reviewDays'>

export async function readFacts(db: Db | Tx, sellerId: string, known: PayoutFacts): Promise<Facts> {
  return {
    ...known,
    now: only(await statements.readNow(db, {})).at,
    details: (await findDetails(db, sellerId)) ?? null,
    isSuspended: await isSuspended(db, sellerId),
    open: (await findOpen(db, sellerId)) ?? null,
  }
}

/** Finds erased accounts, by id, with stored payout details. */
export async function findErasedSellers(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payoutDetails as d')
    .innerJoin('users as u', 'u.id', 'd.userId')
    .select('d.userId')
    .where('u.erasedAt', 'is not', null)
    .where('d.userId', '>', after)
    .orderBy('d.userId')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function forgetDetailsOf(tx: Tx, userId: string) {
  await tx.deleteFrom('payoutDetails').where('userId', '=', userId).execute()
  await tx
    .updateTable('payouts')
    .set({ sealed: null, label: null })
    .where('sellerId', '=', userId)
    .where('state', 'not in', OPEN_STATES)
    .execute()
}

export const listOpenPayouts = (db: Db, limit: number) =>
  db
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.sellerId')
    .leftJoin('payoutBatches as b', 'b.id', 'p.batchId')
    .select(['p.id', 'p.state', 'p.amountCents', 'u.email', 'p.createdAt', 'p.batchId', 'b.problem'])
    .where('p.state', 'in', OPEN_STATES)
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .limit(limit)
    .execute()
