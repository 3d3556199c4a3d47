import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { sevenDaysCents } from './confirmations.store.server.ts'
import { type Batch, MANY_BATCHES, type Queue, type QueuedPayout } from './payouts.contract.ts'

const STATES: Record<Queue, QueuedPayout['state'][]> = {
  waiting: ['requested'],
  underway: ['approved', 'processing'],
  ended: ['sent', 'failed', 'returned'],
}

const isSuspended = sql<boolean>`EXISTS (SELECT FROM suspensions s WHERE s.seller_id = p.seller_id AND s.lifted_at IS NULL)`

/** Facts about the seller, without purchases by the seller. An index leads to the sales of 90 days and to the disputed ones. */
const FACTS = sql<{ isFirst: boolean; sales: number; sold: number; refunded: number; disputed: number }>`(
  SELECT json_build_object('sales', count(*), 'sold', coalesce(sum(e.gross_cents), 0), 'refunded', coalesce(sum(e.returned_cents), 0),
    'disputed', (SELECT count(*) FROM earnings f WHERE f.seller_id = p.seller_id AND f.is_disputed AND NOT is_own_purchase(f.order_id, f.seller_id)),
    'isFirst', NOT EXISTS (SELECT FROM payouts f WHERE f.seller_id = p.seller_id AND f.state = 'sent' AND f.id <> p.id))
  FROM earnings e WHERE e.seller_id = p.seller_id AND e.earned_at > now() - interval '90 days'
    AND NOT is_own_purchase(e.order_id, e.seller_id))`

export const selectQueued = (db: Db | Tx) =>
  db
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.sellerId')
    .leftJoin('payoutDetails as d', 'd.userId', 'p.sellerId')
    .leftJoin('payoutConfirmations as c', (join) =>
      join
        .onRef('c.payoutId', '=', 'p.id')
        .on(
          sql<boolean>`c.act = ANY (CASE p.state WHEN 'requested' THEN '{approved}' WHEN 'sent' THEN '{returned}' ELSE '{failed}' END::text[])`,
        ),
    )
    .leftJoin('users as first', 'first.id', 'c.staffId')
    .selectAll('p')
    .select(['c.act as firstAct', 'c.staffId as firstStaffId', 'first.email as firstEmail'])
    .select(['u.email', 'd.method as nextMethod', 'd.label as nextLabel', 'd.waitsUntil', 'd.rejection'])
    .select(['d.schedule', 'd.monthlyAt', sql<Date>`now()`.as('at')])
    .select([FACTS.as('about'), isSuspended.as('isSuspended'), sevenDaysCents.as('sevenDaysCents')])

export type Row = Awaited<ReturnType<typeof readQueue>>[number]

/** Those that wait oldest first, the others newest first. */
export function readQueue(db: Db, queue: Queue, limit: number, after: string | undefined) {
  const [order, sign] = queue === 'waiting' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  return selectQueued(db)
    .where('p.state', 'in', STATES[queue])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(p.created_at, p.id) ${sql.raw(sign)} (SELECT created_at, id FROM payouts WHERE id = ${after!}::uuid)`,
      ),
    )
    .orderBy('p.createdAt', order)
    .orderBy('p.id', order)
    .limit(limit)
    .execute()
}

export async function countQueue(db: Db, queue: Queue): Promise<number> {
  const { count } = await db
    .selectFrom('payouts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', STATES[queue])
    .executeTakeFirstOrThrow()
  return count
}

export async function readBatches(db: Db): Promise<Batch[]> {
  const rows = await db
    .selectFrom('payoutBatches as b')
    .innerJoin('users as u', 'u.id', 'b.approvedBy')
    .select(['b.id', 'b.method', 'b.state', 'b.createdAt', 'b.problem', 'u.email as approvedBy'])
    .select((row) => [
      row
        .selectFrom('payouts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('batchId', '=', 'b.id')
        .as('payouts'),
      row
        .selectFrom('payouts')
        .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('sum'))
        .whereRef('batchId', '=', 'b.id')
        .as('cents'),
    ])
    .orderBy('b.createdAt', 'desc')
    .orderBy('b.id', 'desc')
    .limit(MANY_BATCHES)
    .execute()
  return rows.map(({ cents, payouts, createdAt, ...row }) => ({
    ...row,
    payouts: payouts ?? 0,
    amount: toDecimal(cents ?? 0),
    createdAt: createdAt.toISOString(),
  }))
}
