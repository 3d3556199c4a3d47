import { type RawBuilder, sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../database.server.ts'
import type { Tables } from '../tables.ts'

// Deletes old rows in small batches, each in a separate transaction (decision 0084).

export type RetentionRule<Table extends keyof Tables> = {
  table: Table
  /** The column that determines the age. It has an index. */
  moment: keyof Tables[Table] & string
  days: number
  /** Deletes only old rows that meet this condition. */
  where?: RawBuilder<unknown>
}

const BATCH = 1_000
/** Gives requests and the replica time between batches. */
const PAUSE_MS = 20

/** Deletes old rows that are not locked, and returns their number. Waits for no lock, so that it blocks no request. */
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
    // skips a row that a request changes meanwhile, so a batch that is not full may not be the last one
    if (numAffectedRows === 0n) return count
    count += Number(numAffectedRows)
  }
}
