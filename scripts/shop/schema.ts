import type pg from 'pg'
import { listMigrations } from '../../src/kit/migrate.server.ts'

export type Schema = {
  applied: string[]
  /** Still to be applied by this version of the shop. */
  open: string[]
  /** Applied by a newer version. */
  unknown: string[]
}

export async function readSchema(client: pg.ClientBase): Promise<Schema> {
  const known = listMigrations()
  const applied = await readApplied(client)
  return {
    applied,
    open: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

async function readApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS exists`,
  )
  if (!found[0]!.exists) return []
  const { rows } = await client.query<{ name: string }>('SELECT name FROM public.migrations ORDER BY name COLLATE "C"')
  return rows.map(({ name }) => name)
}
