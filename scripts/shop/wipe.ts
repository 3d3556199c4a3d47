import { rm } from 'node:fs/promises'
import type pg from 'pg'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { currentNames, findTooOld, listMigrations } from '../../src/kit/migrate.server.ts'
import { accountsFile, objectsFolder, readApplied } from './connection.ts'

// Lists statements that drop everything in the schema public except the objects of extensions.
const DROPS = `
  SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) AS drop FROM (
    SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
      oid::regclass::text AS name, oid, tableoid
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'r', 'p', 'S')
    UNION ALL SELECT 'ROUTINE', oid::regprocedure::text, oid, tableoid
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
    UNION ALL SELECT 'TYPE', oid::regtype::text, oid, tableoid
    FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
  ) thing
  WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = thing.oid AND classid = thing.tableoid AND deptype = 'e')
  -- dropping a table drops its sequences
  ORDER BY kind = 'SEQUENCE'`

/** Throws a Failure if the database holds tables of another program. */
export async function refuseForeign(client: pg.ClientBase) {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  const applied = await readApplied(client)
  const isOurs = findTooOld(applied) !== undefined || currentNames(applied).includes(listMigrations()[0]!)
  if (rows[0]!.tables > 0 && !isOurs)
    throw new Failure(
      409,
      'DATABASE_URL: this database holds tables of something else. Give the shop its own database.',
    )
}

/** Drops the shop's schemas, whatever version made them, in one transaction. */
export async function wipeDatabase(client: pg.ClientBase) {
  await client.query('SET client_min_messages = warning')
  const { rows } = await client.query<{ drop: string }>(DROPS)
  const drops = ['DROP SCHEMA IF EXISTS sandbox, graphile_worker CASCADE', ...rows.map(({ drop }) => drop)]
  await client.query(drops.join(';\n'))
}

/** Removes stored files and the passwords of the demo accounts. Keeps the secret. */
export async function wipeFiles(config: Pick<Config, 'dataDir'>) {
  await rm(objectsFolder(config), { recursive: true, force: true })
  await rm(accountsFile(config), { force: true })
}
