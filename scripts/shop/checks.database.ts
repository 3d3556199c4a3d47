import type pg from 'pg'
import { fail, type Finding, ok, warn } from '../../src/monitoring/health/finding.rules.ts'
import { readSchema } from './connection.ts'

const LEAST_VERSION = 150_000
const NOTICED_MS = 1000
const GREATEST_MS = 30_000

export async function checkServer(client: pg.ClientBase): Promise<Finding> {
  const start = performance.now()
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, split_part(current_setting('server_version'), ' ', 1) AS version`,
  )
  const { number, version } = rows[0]!
  const says = `PostgreSQL ${version}, answers in ${(performance.now() - start).toFixed(0)} ms`
  return number >= LEAST_VERSION ? ok('database', says) : fail('database', says, 'use PostgreSQL 15 or newer')
}

export async function checkMigrations(client: pg.ClientBase): Promise<Finding> {
  const { applied, open, unknown } = await readSchema(client)
  if (unknown.length > 0)
    return fail('migrations', `unknown to this version: ${unknown.join(', ')}`, 'run the newer version of the shop')
  if (applied.length === 0)
    return warn('migrations', 'the database is empty', 'start the shop, or: npm run shop -- migrate')
  if (open.length > 0)
    return fail('migrations', `open: ${open.join(', ')}`, 'make a backup, then: npm run shop -- migrate')
  return ok('migrations', `all ${applied.length} applied`)
}

/** The search needs pg_trgm to match misspelled words. A migration installs it. */
export async function checkExtension(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<{ isInstalled: boolean; isThere: boolean; isWanted: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "isInstalled",
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "isThere",
       to_regclass('public.products') IS NOT NULL AS "isWanted"`,
  )
  const { isInstalled, isThere, isWanted } = rows[0]!
  if (isInstalled) return ok('search', 'pg_trgm is installed')
  if (!isThere) return fail('search', 'the server has no pg_trgm', "install PostgreSQL's contrib package there")
  if (!isWanted) return ok('search', 'pg_trgm is available; the first start installs it')
  return fail('search', 'pg_trgm was removed, and its index with it', 'make a backup and restore it with --yes')
}

export async function checkClock(client: pg.ClientBase): Promise<Finding> {
  const start = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  )
  const middle = (start + Date.now()) / 2
  return gradeClock(rows[0]!.now - middle)
}

/** `aheadMs` is the lead of the database's clock over this machine's. */
export function gradeClock(aheadMs: number): Finding {
  const difference = Math.abs(aheadMs)
  if (difference < NOTICED_MS) return ok('clock', `${difference.toFixed(0)} ms from the database's`)
  const says = `${(difference / 1000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's`
  const fix = 'synchronise both machines by NTP'
  return difference < GREATEST_MS ? warn('clock', says, fix) : fail('clock', says, fix)
}
