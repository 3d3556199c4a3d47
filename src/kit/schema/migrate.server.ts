import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { codeOf } from '../database.server.ts'
import { Failure, operatorFailure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import { admitRole } from './roles.server.ts'
import { ROOMS } from './rooms.ts'
import { indexOf, narrowingOf } from './statements.rules.ts'

export const FOLDER = join(import.meta.dirname, '../../../migrations')
const SOURCES = join(import.meta.dirname, '../..')
const { version: VERSION } = JSON.parse(readFileSync(join(SOURCES, '../package.json'), 'utf8')) as { version: string }
// an arbitrary number, the same on every node
const MIGRATION_LOCK = 7_150_001
const TURN_MS = 100

/**
 * A statement that waits for a lock on a table blocks all later statements. So a migration waits at most `lockMs`, then
 * pauses for `pauseMs` before the next try.
 */
type Patience = { lockMs: number; pauseMs: number; tries: number }
const TIMEOUT: Patience = { lockMs: 2_000, pauseMs: 1_000, tries: 30 }

export const listMigrations = (folder = FOLDER) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))

export const numberOf = (name: string): number => Number.parseInt(name, 10)

/** Every database from before the first release has one of these migrations. */
const UNRELEASED = ['001_identity.sql', '16_own_identity.sql']

export const UNRELEASED_ADVICE = 'empty it with `npm run shop -- reset --yes`, or use another DATA_DIR or DATABASE_URL'

/** Databases from before version 1.0.0 have another schema, which no migration upgrades. */
export const isUnreleased = (applied: string[]) => applied.some((name) => UNRELEASED.includes(name))

export function refuseUnreleased(applied: string[]) {
  if (isUnreleased(applied)) throw operatorFailure(`The database is from a version before 1.0.0: ${UNRELEASED_ADVICE}.`)
}

/**
 * Applies the SQL files of migrations/ in order, each in its own transaction, then the migrations of the job queue.
 * Returns the applied names. Nodes that start together wait for each other. `only` lists the files to apply, for a
 * backup with an older schema. `shopUrl` has the role of the running shop. Accepts additions of a newer version
 * (decision 0087). Throws a Failure if a newer version removed something, if an applied file was changed, if the
 * database is from before 1.0.0, or if another transaction locks a table for too long.
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
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
  const sumOf = (name: string) => createHash('sha256').update(textOf(name)).digest('hex')
  const client = new pg.Client({ connectionString: url, application_name: 'primo migrate' })
  await client.connect()
  try {
    if (await isGuest()) return await refuseOpen()
    await takeTurn()
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await client.query(`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS sha256 text,
      ADD COLUMN IF NOT EXISTS expands boolean NOT NULL DEFAULT false`)
    const sums = await readSums()
    const files = listMigrations(folder)
    const newer = [...sums].filter(([name]) => !files.includes(name))
    const open = files.filter((name) => !sums.has(name) && (only?.includes(name) ?? true))
    // a release that has pending files itself is not an older release
    refuseNewer(newer.find(([, { expands }]) => !expands || open.length > 0)?.[0])
    if (newer.length > 0) {
      log.info('the schema is of a newer release, beside which this one may run', { migrations: newer.length })
      return []
    }
    // databases of one version must have the same schema
    for (const [name, { sum }] of sums)
      if (sum !== sumOf(name))
        throw operatorFailure(
          `migrations/${name} was changed after this database took it. Put it back as it was, and write a new file for the change.`,
        )
    await client.query(`SELECT set_config('lock_timeout', $1, false)`, [`${patience.lockMs}ms`])
    for (const name of open) await apply(name)
    if (!only) await applyViews()
    await runMigrations({ connectionString: url })
    if (shopUrl !== url) await admitRole(client, shopUrl)
    return open
  } finally {
    await client.end()
  }

  /** Polls, because CREATE INDEX CONCURRENTLY on the other node would wait for the snapshot of a blocked statement. */
  async function takeTurn() {
    for (;;) {
      const { rows } = await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1) AS "isOurs"', [
        MIGRATION_LOCK,
      ])
      if (rows.some(({ isOurs }) => isOurs)) return
      await pause(TURN_MS)
    }
  }

  /** Returns true for a role that does not own the tables and so cannot migrate. */
  async function isGuest() {
    const { rows } = await client.query<{ isGuest: boolean }>(
      `SELECT NOT pg_has_role(relowner, 'MEMBER') AS "isGuest" FROM pg_class WHERE oid = to_regclass('public.migrations')`,
    )
    return rows[0]?.isGuest ?? false
  }

  async function refuseOpen() {
    const { rows } = await client.query<{ name: string; expands?: boolean }>('SELECT * FROM migrations')
    const applied = rows.map(({ name }) => name)
    refuseUnreleased(applied)
    const files = listMigrations(folder)
    refuseNewer(rows.find(({ name, expands }) => !expands && !files.includes(name))?.name)
    const open = files.filter((name) => !applied.includes(name))
    if (open.length === 0) return []
    throw operatorFailure(
      `The database lacks migrations (${open.join(', ')}). Run \`npm run shop -- migrate\` with MIGRATE_DATABASE_URL, the owner of the tables.`,
    )
  }

  async function readSums() {
    const { rows } = await client.query<{ name: string; sha256: string; expands: boolean }>(
      'SELECT name, sha256, expands FROM migrations ORDER BY name',
    )
    refuseUnreleased(rows.map(({ name }) => name))
    return new Map(rows.map(({ name, sha256: sum, expands }) => [name, { sum, expands }]))
  }

  async function record(name: string) {
    const expands = narrowingOf(textOf(name)).length === 0
    await client.query('INSERT INTO migrations (name, sha256, expands) VALUES ($1, $2, $3)', [
      name,
      sumOf(name),
      expands,
    ])
  }

  async function apply(name: string) {
    const parts = partsOf(textOf(name))
    for (const part of parts) {
      const index = indexOf(part)
      const isLast = part === parts.at(-1)
      await patiently(name, patience, async () => {
        const found = index && (await findIndex(index))
        const isBuilt = found === 'valid'
        if (index?.isConcurrent && !isBuilt) await buildBeside(part, found && index.index)
        await inTransaction(async () => {
          if (!isBuilt && !index?.isConcurrent) await client.query(part)
          if (isLast) await record(name)
        })
      })
    }
  }

  /**
   * Applies the views and functions that rooms offer to rooms below. A view only gains columns, so the former release
   * can still read it. The comment of the table `migrations` has the hash of the applied text and the newest version.
   */
  async function applyViews() {
    const text = readViews()
    const sum = createHash('sha256').update(text).digest('hex')
    const { rows } = await client.query<{ applied: string | null }>(
      `SELECT obj_description('migrations'::regclass, 'pg_class') AS applied`,
    )
    const [version = '', appliedSum] = (rows[0]?.applied ?? '').split(' ')
    if (appliedSum === sum || isNewer(version)) return
    await patiently('views', patience, () =>
      inTransaction(async () => {
        await client.query(text)
        await client.query(`COMMENT ON TABLE migrations IS '${VERSION} ${sum}'`)
      }),
    )
  }

  /** Finds the index that an earlier try has built or started. */
  async function findIndex({ index, table }: { index: string; table: string }) {
    const { rows } = await client.query<{ isValid: boolean }>(
      'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1) AND indrelid = to_regclass($2)',
      [`public.${index}`, `public.${table}`],
    )
    return rows[0] && (rows[0].isValid ? 'valid' : 'invalid')
  }

  async function buildBeside(part: string, unfinished?: string) {
    await client.query(`SELECT set_config('lock_timeout', '0', false)`)
    try {
      if (unfinished) await client.query(`DROP INDEX CONCURRENTLY public.${client.escapeIdentifier(unfinished)}`)
      await client.query(part)
    } finally {
      await client.query(`SELECT set_config('lock_timeout', $1, false)`, [`${patience.lockMs}ms`])
    }
  }

  async function inTransaction(work: () => Promise<unknown>) {
    await client.query('BEGIN')
    try {
      await work()
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }
}

/** Returns the SQL of the views of all rooms, in room order. */
function readViews(): string {
  const views = globSync('*/*.views.sql', { cwd: SOURCES })
  const rank = (file: string) => ROOMS.indexOf(dirname(file))
  return views
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n')
}

const isNewer = (version: string) => version.localeCompare(VERSION, 'en', { numeric: true }) > 0

function refuseNewer(name: string | undefined) {
  if (name)
    throw operatorFailure(
      `The database is newer than this shop (it knows ${name}). Start the newer version, or restore an older backup.`,
    )
}

/** Splits a file that begins with this comment into statements, each for a separate transaction. */
const partsOf = (text: string) => (text.startsWith('-- One by one: ') ? text.trim().split(/(?<=;)\n+/) : [text])

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
