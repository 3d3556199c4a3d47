import { rm } from 'node:fs/promises'
import type pg from 'pg'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { listMigrations } from '../../src/kit/migrate.server.ts'
import { accountsFile, objectsFolder, readSchema } from './connection.ts'

// Drops everything in the shop's schemas except the objects of extensions.
const WIPE = `
  DO $$
  DECLARE thing text;
  BEGIN
    DROP SCHEMA IF EXISTS sandbox, graphile_worker CASCADE;
    FOR thing IN
      SELECT format('DROP %s IF EXISTS public.%I CASCADE', CASE relkind
        WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'r', 'p', 'S') AND NOT EXISTS (
        SELECT FROM pg_depend WHERE objid = pg_class.oid AND classid = 'pg_class'::regclass AND deptype = 'e')
      -- dropping a table drops its sequences
      ORDER BY relkind = 'S'
    LOOP
      EXECUTE thing;
    END LOOP;
    FOR thing IN
      SELECT p.oid::regprocedure::text FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p') AND NOT EXISTS (
        SELECT FROM pg_depend WHERE objid = p.oid AND classid = 'pg_proc'::regclass AND deptype = 'e')
    LOOP
      EXECUTE 'DROP ROUTINE IF EXISTS ' || thing || ' CASCADE';
    END LOOP;
    FOR thing IN
      SELECT t.oid::regtype::text FROM pg_type t
      WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND NOT EXISTS (
        SELECT FROM pg_depend WHERE objid = t.oid AND classid = 'pg_type'::regclass AND deptype = 'e')
    LOOP
      EXECUTE 'DROP TYPE IF EXISTS ' || thing || ' CASCADE';
    END LOOP;
  END $$`

/** Throws a Failure if the database holds tables of another program. */
export async function refuseForeign(client: pg.ClientBase) {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  const { applied } = await readSchema(client)
  if (rows[0]!.tables > 0 && !applied.includes(listMigrations()[0]!)) {
    throw new Failure(
      409,
      'DATABASE_URL: this database holds tables of something else. Give the shop its own database.',
    )
  }
}

export async function wipeDatabase(client: pg.ClientBase) {
  await client.query('SET client_min_messages = warning')
  await client.query(WIPE)
}

/** Removes stored files and the passwords of the demo accounts. Keeps the secret. */
export async function wipeFiles(config: Pick<Config, 'dataDir'>) {
  await rm(objectsFolder(config), { recursive: true, force: true })
  await rm(accountsFile(config), { force: true })
}
