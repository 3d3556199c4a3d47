import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { Failure } from './failure.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
// any number will do, as long as every node uses the same
const MIGRATION_LOCK = 7_150_001

/** The migrations of this version of the shop, in order. */
export const listMigrations = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()

/**
 * Applies the SQL files of migrations/ in order, each in its own transaction, then the job queue's own; answers which.
 * Nodes that start at once wait for each other. `only` stops at an older schema, for a backup of that time. Throws a
 * Failure when the database has been migrated by a newer version of the shop, or by another text of a file.
 */
export async function migrate(url: string, { only }: { only?: string[] } = {}): Promise<string[]> {
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
    for (const name of open) await apply(client, name)
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

async function apply(client: pg.Client, name: string) {
  await client.query('BEGIN')
  try {
    await client.query(textOf(name))
    await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [name, sumOf(name)])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
