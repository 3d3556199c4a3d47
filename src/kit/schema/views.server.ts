import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { inTransaction, type Patience, retryWhileLocked } from './apply.server.ts'
import { ROOMS } from './rooms.ts'

const SOURCES = join(import.meta.dirname, '../..')
const { version: VERSION } = JSON.parse(readFileSync(join(SOURCES, '../package.json'), 'utf8')) as { version: string }

/**
 * Views and functions that rooms offer to rooms below. A view only gains columns, so the former release still reads it. The
 * comment of the table `migrations` names the applied text, and the newest version that applied its own.
 */
export async function applyViews(client: pg.Client, patience: Patience) {
  if (await areViewsCurrent(client)) return
  await retryWhileLocked('views', patience, () =>
    inTransaction(client, async () => {
      const text = readViews()
      await client.query(text)
      await client.query(`COMMENT ON TABLE migrations IS '${VERSION} ${sumOf(text)}'`)
    }),
  )
}

/** False while the views of this release are open. True if a newer release has applied its own. */
export async function areViewsCurrent(client: pg.ClientBase): Promise<boolean> {
  const { version, sum } = await readAppliedViews(client)
  return isNewer(version) || sum === sumOf(readViews())
}

/** Returns the release that last applied its views and the hash of their text. Both are empty before the first time. */
export async function readAppliedViews(client: pg.ClientBase): Promise<{ version: string; sum: string }> {
  const { rows } = await client.query<{ applied: string | null }>(
    `SELECT obj_description('public.migrations'::regclass, 'pg_class') AS applied`,
  )
  const [version = '', sum = ''] = (rows[0]?.applied ?? '').split(' ')
  return { version, sum }
}

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The views of all rooms, in room order. */
function readViews(): string {
  const views = globSync('*/*.views.sql', { cwd: SOURCES })
  const rank = (file: string) => ROOMS.indexOf(dirname(file))
  return views
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n')
}

const isNewer = (version: string) => version.localeCompare(VERSION, 'en', { numeric: true }) > 0
