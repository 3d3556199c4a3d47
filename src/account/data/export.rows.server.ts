import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { currentUser } from '../profile/currentUser.server.ts'
import { required } from '../../kit/values/required.ts'

/** The SQL of each file. A test checks that every table that refers to an account is exported or listed as excluded. */
export const TABLES = readStatements(readFileSync(join(import.meta.dirname, 'export.sql'), 'utf8'))

/** Maps each file name to its statement. Throws if a `-- name.json` lacks a statement that ends in a semicolon. */
export function readStatements(text: string): Record<string, string> {
  const lines = text.replaceAll('\r\n', '\n')
  const found = [...lines.matchAll(/^-- ([\w-]+\.json)\n(.*?);$/gms)]
  for (const mark of [/^-- .*\.json/gm, /;\s*$/gm])
    if (lines.match(mark)?.length !== found.length)
      throw new Error('export.sql: each `-- name.json` needs one statement after it that ends in a semicolon.')
  return Object.fromEntries(
    found.map(([, file, statement]) => [required(file, 'a file'), required(statement, 'a statement')]),
  )
}

const README =
  'All data that the shop stores about your account. Amounts are in US cents, times in UTC. bought.json lists what you bought, with the page that opens it: files, codes and keys stay in your library, where each use is recorded.'

/** Returns the content of each JSON file. It contains no goods, because only the delivery gate may open goods. */
export async function readMyData(pool: pg.Pool, userId: string): Promise<Record<string, unknown>> {
  const profile: unknown = JSON.parse(await currentUser(pool, userId))
  const files: Record<string, unknown> = { 'about.json': README, 'profile.json': profile }
  for (const [name, text] of Object.entries(TABLES)) files[name] = (await pool.query(text, [userId])).rows
  return files
}
