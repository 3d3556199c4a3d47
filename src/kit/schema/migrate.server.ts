import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { operatorFailure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import { applyFile, type Patience, setLockTimeout } from './apply.server.ts'
import { admitRole } from './roles.server.ts'
import { applyViews, areViewsCurrent, readAppliedViews } from './views.server.ts'

export const FOLDER = join(import.meta.dirname, '../../../migrations')
// any number, the same on every node
const MIGRATION_LOCK = 7_150_001
const TURN_MS = 100
const TIMEOUT: Patience = { lockMs: 2_000, pauseMs: 1_000, tries: 30 }

export const listMigrations = (folder = FOLDER) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))

export const numberOf = (name: string): number => Number.parseInt(name, 10)

/** Each database from before the first release has one of these migrations. */
const UNRELEASED = ['001_identity.sql', '16_own_identity.sql']

export const UNRELEASED_ADVICE = 'empty it with `npm run shop -- reset --yes`, or use another DATA_DIR or DATABASE_URL'

/** Databases from before version 1.0.0 have another schema, and no migration leads from it to this one. */
export const isUnreleased = (applied: string[]) => applied.some((name) => UNRELEASED.includes(name))

const UNRELEASED_DATABASE = `The database is from a version before 1.0.0: ${UNRELEASED_ADVICE}.`

export function refuseUnreleased(applied: string[]) {
  if (isUnreleased(applied)) throw operatorFailure(UNRELEASED_DATABASE)
}

/**
 * Applies the SQL files of migrations/ in order, each in its own transaction, then those of the job queue. Returns the applied
 * names. Nodes that start together wait for each other. `only` stops at an older schema, for a backup of that time. `shopUrl`
 * names the role of the running shop. Accepts additions of a newer version (decision 0087). Throws a Failure if a newer version
 * removed something, if an applied file was changed, if the database is from before 1.0.0, or if other work locks a table
 * for too long.
 */
export async function migrate(
  url: string,
  {
    only,
    shopUrl = url,
    patience = TIMEOUT,
    folder = FOLDER,
  }: { only?: string[]; shopUrl?: string; patience?: Patience; folder?: string } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo migrate' })
  await client.connect()
  try {
    if (await isGuest(client)) return await refuseOpen(client, folder)
    await takeTurn(client)
    await createMigrationsTable(client)
    const applied = await readApplied(client)
    const files = listMigrations(folder)
    const newer = [...applied].filter(([name]) => !files.includes(name))
    const open = files.filter((name) => !applied.has(name) && (only?.includes(name) ?? true))
    // a release whose own files are open is not the former one
    refuseNewer(newer.find(([, { expands }]) => !expands || open.length > 0)?.[0])
    if (newer.length > 0) {
      log.info('the schema is of a newer release, beside which this one may run', { migrations: newer.length })
      return []
    }
    await refuseChanged(client, applied, folder)
    await setLockTimeout(client, patience.lockMs)
    for (const name of open) await applyFile(client, { name, ...readMigration(folder, name) }, patience)
    if (!only) await applyViews(client, patience)
    await runMigrations({ connectionString: url })
    if (shopUrl !== url) await admitRole(client, shopUrl)
    return open
  } finally {
    await client.end()
  }
}

type Applied = Map<string, { sum: string; expands: boolean }>

function readMigration(folder: string, name: string) {
  const text = readFileSync(join(folder, name), 'utf8')
  return { text, sum: createHash('sha256').update(text).digest('hex') }
}

/** A role that another one has let in owns no table, so it cannot migrate. */
async function isGuest(client: pg.Client) {
  const { rows } = await client.query<{ isGuest: boolean }>(
    `SELECT NOT pg_has_role(relowner, 'MEMBER') AS "isGuest" FROM pg_class WHERE oid = to_regclass('public.migrations')`,
  )
  return rows[0]?.isGuest ?? false
}

async function refuseOpen(client: pg.Client, folder: string) {
  const { rows } = await client.query<{ name: string; expands?: boolean }>('SELECT * FROM migrations')
  const applied = rows.map(({ name }) => name)
  refuseUnreleased(applied)
  const files = listMigrations(folder)
  refuseNewer(rows.find(({ name, expands }) => !expands && !files.includes(name))?.name)
  const open = files.filter((name) => !applied.includes(name))
  if (!(await areViewsCurrent(client))) open.push('views')
  if (open.length === 0) return []
  throw operatorFailure(
    `The database lacks migrations (${open.join(', ')}). Run \`npm run shop -- migrate\` with MIGRATE_DATABASE_URL, the owner of the tables.`,
  )
}

/** Polls instead of waiting: a statement that waits has a snapshot, which CREATE INDEX CONCURRENTLY of the other node waits for. */
async function takeTurn(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1) AS "isOurs"', [
      MIGRATION_LOCK,
    ])
    if (rows.some(({ isOurs }) => isOurs)) return
    await pause(TURN_MS)
  }
}

async function createMigrationsTable(client: pg.Client) {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  await client.query(`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS sha256 text,
      ADD COLUMN IF NOT EXISTS expands boolean NOT NULL DEFAULT false`)
}

async function readApplied(client: pg.Client): Promise<Applied> {
  const { rows } = await client.query<{ name: string; sha256: string; expands: boolean }>(
    'SELECT name, sha256, expands FROM migrations ORDER BY name',
  )
  refuseUnreleased(rows.map(({ name }) => name))
  return new Map(rows.map(({ name, sha256: sum, expands }) => [name, { sum, expands }]))
}

/** Stores of one version must not have two schemas. */
async function refuseChanged(client: pg.Client, applied: Applied, folder: string) {
  const changed = [...applied].find(([name, { sum }]) => sum !== readMigration(folder, name).sum)
  if (!changed) return
  const [name] = changed
  const { version } = await readAppliedViews(client)
  throw operatorFailure(
    version.startsWith('0.')
      ? UNRELEASED_DATABASE
      : `migrations/${name} was changed after this database took it. Put it back as it was, and write a new file for the change.`,
  )
}

function refuseNewer(name: string | undefined) {
  if (name)
    throw operatorFailure(
      `The database is newer than this shop (it knows ${name}). Start the newer version, or restore an older backup.`,
    )
}
