import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { codeOf } from './database.server.ts'
import { Failure } from './failure.ts'
import { log } from './log.server.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
// any number will do, as long as every node uses the same
const MIGRATION_LOCK = 7_150_001

/**
 * Whoever wants a table that a migration waits for waits behind it: so it waits `lockMs` and lets the others through
 * before it tries again.
 */
type Patience = { lockMs: number; pauseMs: number; tries: number }
const PATIENCE: Patience = { lockMs: 2_000, pauseMs: 1_000, tries: 30 }

/** The migrations of this version of the shop, in order. */
export const listMigrations = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()

/**
 * Applies the SQL files of migrations/ in order, each in its own transaction, then the job queue's own; answers which.
 * Nodes that start at once wait for each other. `only` stops at an older schema, for a backup of that time. Throws a
 * Failure when the database has been migrated by a newer version of the shop, or by another text of a file, or when other
 * work holds a table for too long.
 */
export async function migrate(
  url: string,
  { only, patience = PATIENCE }: { only?: string[]; patience?: Patience } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo migrate' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await client.query('ALTER TABLE migrations ADD COLUMN IF NOT EXISTS sha256 text')
    const files = listMigrations()
    const { rows } = await client.query<Applied>('SELECT name, sha256 FROM migrations ORDER BY name')
    const unknown = rows.find(({ name }) => !files.includes(name))
    if (unknown)
      throw new Failure(
        500,
        `The database is newer than this shop (it knows ${unknown.name}). Start the newer version, or restore an older backup.`,
      )
    await compareTexts(client, rows)
    const done = new Set(rows.map(({ name }) => name))
    const open = files.filter((name) => !done.has(name) && (only?.includes(name) ?? true))
    await client.query(`SELECT set_config('lock_timeout', $1, false)`, [`${patience.lockMs}ms`])
    for (const name of open) await apply(client, name, patience)
    await runMigrations({ connectionString: url })
    return open
  } finally {
    await client.end()
  }
}

type Applied = { name: string; sha256: string | null }

const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const sumOf = (name: string) => createHash('sha256').update(textOf(name)).digest('hex')

/** A file that was edited after it was applied would leave stores of one version with two schemas. */
async function compareTexts(client: pg.Client, applied: Applied[]) {
  for (const { name, sha256 } of applied) {
    const sum = sumOf(name)
    if (sha256 !== null && sha256 !== sum)
      throw new Failure(
        500,
        `migrations/${name} was changed after this database took it. Put it back as it was, and write a new file for the change.`,
      )
    // applied before sums were kept
    if (sha256 === null) await client.query('UPDATE migrations SET sha256 = $2 WHERE name = $1', [name, sum])
  }
}

async function apply(client: pg.Client, name: string, patience: Patience) {
  const parts = partsOf(textOf(name))
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1
    await patiently(name, patience, () => applyPart(client, part, isLast ? name : null))
  }
}

/** A file that begins so is applied statement by statement, each in a transaction of its own. */
const partsOf = (text: string) => (text.startsWith('-- One by one: ') ? text.trim().split(/(?<=;)\n+/) : [text])

/** `done` is the name of the file that is applied with it. */
async function applyPart(client: pg.Client, part: string, done: string | null) {
  await client.query('BEGIN')
  try {
    await client.query(part)
    if (done) await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [done, sumOf(done)])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

async function patiently(name: string, { pauseMs, tries }: Patience, work: () => Promise<void>) {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (![LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error) ?? '')) throw error
      if (tried === tries)
        throw new Failure(
          503,
          `migrations/${name}: other work holds its tables (tried ${tries} times). What came before it is applied; start again.`,
        )
      if (tried === 1) log.info('a migration waits for other work to leave its tables', { migration: name })
      await pause(pauseMs)
    }
  }
}
