import { Readable } from 'node:stream'
import type pg from 'pg'
import { ensureSchema } from '../../sandbox/schema.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import { createTally, isSameTally, objectLine } from './backup.format.ts'
import { type Contents, objectKey, readBackup, readLines } from './backup.read.ts'
import { listTables, measureTable, setTextFormat, type Table } from './backup.rows.ts'
import { refuseWhileRunning } from './connection.ts'

type Step = { before: string; after: string }

// Rows arrive table by table, so foreign keys are checked at the end. Triggers ran when the rows were first written.
// Constraint triggers (the ledger must balance) and all other constraints stay on.
const STEPS = `
  SELECT format('ALTER TABLE %s ALTER CONSTRAINT %I DEFERRABLE INITIALLY DEFERRED', conrelid::regclass, conname) AS before,
    format('ALTER TABLE %s ALTER CONSTRAINT %I NOT DEFERRABLE', conrelid::regclass, conname) AS after
  FROM pg_constraint JOIN pg_namespace n ON n.oid = connamespace
  WHERE contype = 'f' AND NOT condeferrable AND conparentid = 0 AND nspname IN ('public', 'sandbox')
  UNION ALL
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname),
    format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname)
  FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid JOIN pg_namespace n ON n.oid = relnamespace
  WHERE NOT tgisinternal AND tgconstraint = 0 AND tgenabled = 'O' AND nspname IN ('public', 'sandbox')`

// Queues again the work that was open at the time of the backup. The reconciler handles open payments.
const REQUEUE = [
  `SELECT graphile_worker.add_job('send_mail', json_build_object('id', id), job_key => 'mail:' || id)
   FROM public.mails WHERE sent_at IS NULL`,
  `SELECT graphile_worker.add_job('refund', json_build_object('id', id), job_key => 'refund:' || id)
   FROM public.refunds WHERE status = 'requested'`,
  `SELECT graphile_worker.add_job('webhook', json_build_object('provider', provider, 'eventId', event_id))
   FROM public.webhook_events WHERE processed_at IS NULL`,
]

/** Loads a checked backup into a migrated, empty database and storage, in one transaction, and compares what it wrote. */
export async function loadBackup(client: pg.Client, storage: Storage, file: string, contents: Contents) {
  await setTextFormat(client)
  await client.query('BEGIN')
  // migrations create no table of the sandbox
  if (Object.keys(contents.head.columns).some((name) => name.startsWith('sandbox.')))
    await ensureSchema((text) => client.query(text))
  const tables = await matchTables(client, contents)
  const { rows: steps } = await client.query<Step>(STEPS)
  for (const { before } of steps) await client.query(before)
  await client.query(`TRUNCATE ${[...tables.keys()].join(', ')}`)
  await loadEntries(client, storage, file, contents, tables)
  for (const [name, last] of Object.entries(contents.end.sequences))
    await client.query('SELECT setval($1::regclass, $2)', [name, last])
  // Without statistics the foreign key checks choose slow plans.
  await client.query('ANALYZE')
  await client.query('SET CONSTRAINTS ALL IMMEDIATE')
  for (const { after } of steps) await client.query(after)
  for (const table of tables.values()) {
    if (!isSameTally(contents.end.tables[table.name], await measureTable(client, table)))
      throw new Failure(500, `${table.name} does not match the backup after loading.`)
  }
  for (const text of REQUEUE) await client.query(text)
  await refuseWhileRunning(client)
  await client.query('COMMIT')
}

async function matchTables(client: pg.Client, { head }: Contents): Promise<Map<string, Table>> {
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
  const shape = (columns: string[] | undefined) => columns?.join() ?? 'none'
  for (const name of new Set([...tables.keys(), ...Object.keys(head.columns)])) {
    if (shape(tables.get(name)?.columns) !== shape(head.columns[name]))
      throw new Failure(409, `The columns of table ${name} in the backup differ from those of its migrations.`)
  }
  return tables
}

async function loadEntries(
  client: pg.Client,
  storage: Storage,
  file: string,
  { end }: Contents,
  tables: Map<string, Table>,
) {
  const objects = createTally()
  for await (const entry of readBackup(file)) {
    const [kind, name = ''] = entry.header.name.split('/')
    if (kind === 'tables') {
      await client.query(tables.get(name)!.writer, [`[${(await readLines(entry)).join(',')}]`])
    } else if (kind === 'objects') {
      const key = objectKey(entry)
      const { sizeBytes, sha256 } = await storage.put(key, Readable.from(entry.body))
      objects.add(objectLine(key, sizeBytes, sha256))
    }
  }
  if (!isSameTally(end.objects, objects.read()))
    throw new Failure(500, 'The files do not match the backup after loading.')
}
