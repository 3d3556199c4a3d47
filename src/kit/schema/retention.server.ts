import { type RawBuilder, sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../database.server.ts'
import type { Tables } from '../tables.ts'

// Rows that are deleted when they are old, in small batches, each a transaction of its own (decision 0084).

export type RetentionRule<Table extends keyof Tables> = {
  table: Table
  /** The column that tells the age; an index leads to the oldest. */
  moment: keyof Tables[Table] & string
  days: number
  /** Old rows that stay do not meet this. */
  where?: RawBuilder<unknown>
}

const BATCH = 1_000
/** Lets requests and the replica come in between. */
const PAUSE_MS = 20

/** Deletes the old rows that nobody uses at the moment, and answers how many. It waits for no lock, so no request waits for it. */
export async function deleteOld<Table extends keyof Tables>(
  db: Db,
  { table, moment, days, where = sql`true` }: RetentionRule<Table>,
  batch = BATCH,
): Promise<number> {
  const [from, age] = [sql.table(table), sql.ref(moment)]
  for (let count = 0; ; await pause(PAUSE_MS)) {
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${from} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${from} old WHERE ${age} < now() - ${days}::int * interval '1 day' AND ${where}
      ORDER BY ${age} LIMIT ${batch} FOR UPDATE SKIP LOCKED))`.execute(db)
    // a row that a request changes meanwhile is passed over, so a batch that is not full is not the last one
    if (numAffectedRows === 0n) return count
    count += Number(numAffectedRows)
  }
}
