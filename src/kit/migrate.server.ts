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
 * Failure when the database has been migrated by a newer version of the shop.
 */
export async function migrate(url: string, { only }: { only?: string[] } = {}): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo migrate' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const files = listMigrations()
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
    const unknown = rows.find(({ name }) => !files.includes(name))
    if (unknown)
      throw new Failure(
        500,
        `The database is newer than this shop (it knows ${unknown.name}). Start the newer version, or restore an older backup.`,
      )
    const done = new Set(rows.map(({ name }) => name))
    const open = files.filter((name) => !done.has(name) && (only?.includes(name) ?? true))
    for (const name of open) await apply(client, name)
    await runMigrations({ connectionString: url })
    return open
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, name: string) {
  await client.query('BEGIN')
  try {
    await client.query(readFileSync(join(FOLDER, name), 'utf8'))
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
