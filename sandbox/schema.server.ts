import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SCHEMA = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')

/**
 * Creates the tables of the stand-ins where they are missing. On a database in use the file does not run: a
 * `CREATE INDEX IF NOT EXISTS` waits for every writer of its table.
 */
export async function ensureSchema(query: (text: string) => Promise<{ rows: unknown[] }>) {
  const { rows } = await query(`SELECT to_regclass('sandbox.keys') AS keys`)
  if ((rows[0] as { keys: string | null }).keys === null) await query(SCHEMA)
}
