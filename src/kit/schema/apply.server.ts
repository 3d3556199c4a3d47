import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf } from '../database.server.ts'
import { Failure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import { indexOf, narrowingOf } from './statements.rules.ts'

/**
 * A statement that waits for a table blocks everyone who comes after it. So a migration waits `lockMs` for the lock, then
 * lets others through for `pauseMs` before it tries again.
 */
export type Patience = { lockMs: number; pauseMs: number; tries: number }

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

type MigrationFile = { name: string; text: string; sum: string }

/** Applies a file and records it, in one transaction or, if the file begins with `-- One by one: `, in one for each statement. */
export async function applyFile(client: pg.Client, file: MigrationFile, patience: Patience) {
  const parts = partsOf(file.text)
  for (const part of parts) {
    const index = indexOf(part)
    await retryWhileLocked(file.name, patience, async () => {
      const found = index && (await findIndex(client, index))
      const isBuilt = found === 'valid'
      if (index?.isConcurrent && !isBuilt) await buildConcurrently(client, part, found && index.index, patience)
      await inTransaction(client, async () => {
        if (!isBuilt && !index?.isConcurrent) await client.query(part)
        if (part === parts.at(-1)) await record(client, file)
      })
    })
  }
}

const partsOf = (text: string) => (text.startsWith('-- One by one: ') ? text.trim().split(/(?<=;)\n+/) : [text])

async function record(client: pg.Client, { name, text, sum }: MigrationFile) {
  const expands = narrowingOf(text).length === 0
  await client.query('INSERT INTO migrations (name, sha256, expands) VALUES ($1, $2, $3)', [name, sum, expands])
}

/** An earlier try may have built the index, or died while it did. */
async function findIndex(client: pg.Client, { index, table }: { index: string; table: string }) {
  const { rows } = await client.query<{ isValid: boolean }>(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1) AND indrelid = to_regclass($2)',
    [`public.${index}`, `public.${table}`],
  )
  return rows[0] && (rows[0].isValid ? 'valid' : 'invalid')
}

async function buildConcurrently(
  client: pg.Client,
  part: string,
  unfinished: string | undefined,
  { lockMs }: Patience,
) {
  await setLockTimeout(client, 0)
  try {
    if (unfinished) await client.query(`DROP INDEX CONCURRENTLY public.${client.escapeIdentifier(unfinished)}`)
    await client.query(part)
  } finally {
    await setLockTimeout(client, lockMs)
  }
}

export const setLockTimeout = (client: pg.Client, ms: number) =>
  client.query(`SELECT set_config('lock_timeout', $1, false)`, [`${ms}ms`])

export async function inTransaction(client: pg.Client, work: () => Promise<unknown>) {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

export async function retryWhileLocked(name: string, { pauseMs, tries }: Patience, work: () => Promise<void>) {
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
