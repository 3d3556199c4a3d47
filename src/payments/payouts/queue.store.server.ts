import type { Db } from '../../kit/database.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { type Batch, MANY_BATCHES, type Queue, type QueuedPayout } from './payouts.contract.ts'
import * as statements from './payoutQueue.statements.server.ts'

const STATES: Record<Queue, QueuedPayout['state'][]> = {
  waiting: ['requested'],
  underway: ['approved', 'processing'],
  ended: ['sent', 'failed', 'returned'],
}

export type Row = statements.FindQueuedRow

/** Reads waiting payouts oldest first, any other queue newest first. */
export const readQueue = (db: Db, queue: Queue, most: number, after: string | null): Promise<Row[]> =>
  queue === 'waiting'
    ? statements.listWaiting(db, { most, after })
    : statements.listNewest(db, { states: STATES[queue], most, after })

export async function countQueue(db: Db, queue: Queue): Promise<number> {
  const { count } = await db
    .selectFrom('payouts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', STATES[queue])
    .executeTakeFirstOrThrow()
  return count
}

export async function readBatches(db: Db): Promise<Batch[]> {
  const rows = await statements.listBatches(db, { most: MANY_BATCHES })
  return rows.map(({ cents, createdAt, ...row }) => ({
    ...row,
    amount: toDecimal(cents),
    createdAt: createdAt.toISOString(),
  }))
}
