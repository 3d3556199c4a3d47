import type pg from 'pg'
import { operatorFailure } from '../failure.ts'

/** Throws a Failure unless the pooler sets the timeouts that the shop sets on direct connections. */
export async function checkPooler(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE setting = '0'
       AND name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY 1`,
  )
  if (rows.length === 0) return
  const missing = rows.map(({ name }) => name).join(', ')
  throw operatorFailure(
    `POOLER_DATABASE_URL: its connections have no ${missing}. Set them with connect_query in PgBouncer, as docs/operating/pgbouncer.md shows.`,
  )
}
