import type pg from 'pg'
import { only } from '../values/required.ts'

// The shop runs as a role that reads and writes rows. Only the role of migrations owns the tables and can change them.

/** The URLs of the database for the shop's role and for the owner of the tables. With one role, both are equal. */
export type Addresses = { url: string; ownerUrl: string }

export async function admitRole(owner: pg.Client, url: string) {
  const [name, password] = [new URL(url).username, new URL(url).password].map(decodeURIComponent) as [string, string]
  if (name === owner.user) return
  const role = owner.escapeIdentifier(name)
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [name])
  if (!rowCount) await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD ${owner.escapeLiteral(password)}`)
  const { rows } = await owner.query<{ text: string }>(
    `SELECT replace(replace($1, ':schemas', string_agg(nspname, ', ')), ':role', $2) AS text FROM pg_namespace
     WHERE nspname IN ('public', 'graphile_worker', 'sandbox')
     UNION ALL SELECT format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', oid::regclass) FROM pg_class
     WHERE relnamespace = 'graphile_worker'::regnamespace AND relrowsecurity`,
    [GRANTS, role],
  )
  for (const { text } of rows) await owner.query(text)
}

const GRANTS = `
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA :schemas TO :role;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :schemas TO :role;
  GRANT SELECT ON ALL SEQUENCES IN SCHEMA :schemas TO :role;
  REVOKE INSERT, UPDATE, DELETE ON migrations FROM :role`

/** Returns true if the connected role could change or empty the ledger's table. */
export async function ownsTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'MEMBER') OR has_table_privilege(oid, 'TRIGGER, TRUNCATE') AS owns
     FROM pg_class WHERE oid = 'public.ledger_entries'::regclass`,
  )
  return only(rows).owns
}
