import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { ensureSchema } from '../../sandbox/store.server.ts'
import { prepareSchema } from '../../src/app/schema.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import type { Addresses } from '../../src/kit/schema/roles.server.ts'
import { isUnreleased, listMigrations, migrate } from '../../src/kit/schema/migrate.server.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import {
  checkBackup,
  type Contents,
  createTally,
  fileSource,
  isSameTally,
  markSecret,
  objectKey,
  objectLine,
  readBackup,
  readLines,
  type Source,
} from './backup.format.ts'
import { openBucket } from './backup.bucket.ts'
import { unseal } from './backup.seal.ts'
import { listTables, measureTable, setTextFormat, type Table } from './backup.rows.ts'
import { command, explain, type Terminal } from './command.ts'
import { readApplied, refuseWhileRunning, withClient, withServerAlone } from './connection.ts'
import { refuseForeign, wipeDatabase, wipeFiles } from './store.ts'
import { only, required } from '../../src/kit/values/required.ts'

export type From = { from?: string | undefined; name?: string | undefined }
export const FROM = { from: { type: 'string' }, name: { type: 'string' } } as const

export const restoreCommand = command({
  name: 'restore',
  usage: '<file> | --from s3 [--name NAME] [--yes] [--other-secret]',
  places: 1,
  leastPlaces: 0,
  about: 'Fills an empty store from a backup; with --yes it is emptied first',
  options: { ...FROM, yes: { type: 'boolean' }, 'other-secret': { type: 'boolean' } },
  run: async (terminal, values, [path]) => {
    const config = terminal.readConfig()
    const { source } = await findSource(config, values, path)
    const contents = await checkBackup(source)
    refuseOtherVersion(contents)
    if (!values['other-secret']) refuseOtherSecret(config, contents)
    await withServerAlone(config, async (addresses) => {
      await withClient(addresses.ownerUrl, async (client) => {
        await refuseForeign(client)
        if (!values.yes) await refuseFull(client)
        await wipeDatabase(client)
      })
      await wipeFiles(config)
      await fill(config, addresses, source, contents)
    })
    report(terminal, contents)
  },
})

export async function findSource(config: Config, { from, name }: From, path: string | undefined) {
  if (from === undefined ? path === undefined || name !== undefined : from !== 's3' || path !== undefined)
    throw new Failure(400, 'Give a file, or --from s3, with --name NAME for another than the newest backup.')
  const secret = () => readSecret(config)
  if (path !== undefined) return { source: fileSource(resolve(path), secret), madeAt: null }
  const bucket = await openBucket(config)
  const manifest = await bucket.find(name)
  return { source: { name: manifest.name, open: () => unseal(bucket.read(manifest), secret) }, madeAt: manifest.madeAt }
}

export function refuseOtherVersion({ head }: Contents) {
  if (isUnreleased(head.migrations))
    throw new Failure(409, 'The backup is from a version before 1.0.0. This version cannot restore it.')
  const known = listMigrations()
  const unknown = head.migrations.find((name) => !known.includes(name))
  if (unknown)
    throw new Failure(409, `The backup has migration ${unknown} of a newer version of the shop. Use that version.`)
}

/** Codes and licence keys are encrypted with the secret. A backup contains the secret only if the shop generated it. */
function refuseOtherSecret(config: Config, { head, end, data }: Contents) {
  const countOf = (table: string) => end.tables[`public.${table}`]?.count ?? 0
  const [codes, keys] = [countOf('codes'), countOf('licenses')]
  const hasOwn = head.codesMark !== head.secretMark
  const given = [config.codesSecret, config.formerCodesSecret].map((secret) => secret && markSecret(secret))
  if (codes > 0 && hasOwn && !given.includes(head.codesMark))
    throw new Failure(
      409,
      `CODES_SECRET: the backup was made with another one; without it its ${codes} codes cannot be read. Set that CODES_SECRET, or add --other-secret to restore without them.`,
    )
  if (codes + keys === 0 || (!config.givenSecret && data.has('secret'))) return
  if (markSecret(readSecret(config)) === head.secretMark) return
  throw new Failure(
    409,
    `SECRET: the backup was made with another one; without it its ${codes} codes and ${keys} licence keys cannot be read. Set that SECRET, or add --other-secret to restore without them.`,
  )
}

async function refuseFull(client: pg.Client) {
  const applied = await readApplied(client)
  if (applied.length === 0) return
  if (isUnreleased(applied))
    throw new Failure(409, 'This store is not empty: it is from a version before 1.0.0. Add --yes to empty it.')
  const { rows } = await client.query<{ users: number; products: number; orders: number }>(
    `SELECT (SELECT count(*) FROM public.users)::int AS users, (SELECT count(*) FROM public.products)::int AS products,
       (SELECT count(*) FROM public.orders)::int AS orders`,
  )
  const { users, products, orders } = only(rows)
  if (users === 0) return
  throw new Failure(
    409,
    `This store is not empty: ${users} accounts, ${products} products, ${orders} orders. Make a backup of it, then add --yes to empty it.`,
  )
}

async function fill(config: Config, addresses: Addresses, source: Source, contents: Contents) {
  const { head, data } = contents
  try {
    await migrate(addresses.ownerUrl, { only: head.migrations })
    await mkdir(config.dataDir, { recursive: true })
    for (const name of config.givenSecret ? ['demo-accounts.json'] : ['secret', 'demo-accounts.json']) {
      const bytes = data.get(name)
      if (bytes) await writeFile(join(config.dataDir, name), bytes, { mode: 0o600 })
    }
    await withClient(addresses.ownerUrl, async (client) =>
      loadBackup(client, await openStorage(config), source, contents),
    )
  } catch (error) {
    await wipeFiles(config)
    throw new Failure(500, `${explain(error)} The store is empty now. Fix this and restore again.`)
  }
  await prepareSchema(config, addresses)
}

function report(terminal: Terminal, { head, end }: Contents) {
  for (const [name, { count }] of Object.entries(end.tables))
    if (count > 0) terminal.print(`${name.replace('public.', '').padEnd(20)} ${String(count).padStart(9)} rows`)
  terminal.print(`${'files'.padEnd(20)} ${String(end.objects.count).padStart(9)} (${megabytes(end.objectBytes)})`)
  terminal.print(`Restored the state of ${head.madeAt}: every row and every file is equal to the backup.`)
  if (end.damaged.length > 0) terminal.warn(`Missing or damaged when the backup was made: ${end.damaged.join(', ')}`)
}

type Step = { before: string; after: string }

// Rows arrive table by table, so checks foreign keys at the end. Disables triggers, because they ran when the rows were
// first written. Constraint triggers (the ledger must balance) and all other constraints stay on.
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

// Enqueues mails without a due time: failed mails and mails of older versions. The poller finds other open work in its
// rows.
const REQUEUE = [
  `SELECT graphile_worker.add_job('send_mail', json_build_object('id', id), job_key => 'mail:' || id)
   FROM public.mails m WHERE sent_at IS NULL AND to_jsonb(m) ->> 'due_at' IS NULL`,
  `SELECT graphile_worker.add_job('refund', json_build_object('id', id), job_key => 'refund:' || id)
   FROM public.refunds WHERE status = 'requested'`,
]

export async function loadBackup(client: pg.Client, storage: Pick<Storage, 'put'>, source: Source, contents: Contents) {
  await setTextFormat(client)
  await client.query('BEGIN')
  // Migrations do not create the sandbox tables.
  if (Object.keys(contents.head.columns).some((name) => name.startsWith('sandbox.')))
    await ensureSchema((text) => client.query(text))
  const tables = await matchTables(client, contents)
  const { rows: steps } = await client.query<Step>(STEPS)
  for (const { before } of steps) await client.query(before)
  await client.query(`TRUNCATE ${[...tables.keys()].join(', ')}`)
  await loadEntries(client, storage, source, contents, tables)
  for (const [name, last] of Object.entries(contents.end.sequences))
    await client.query('SELECT setval($1::regclass, $2)', [name, last])
  // Without statistics, foreign key checks choose slow plans.
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
  storage: Pick<Storage, 'put'>,
  source: Source,
  { end }: Contents,
  tables: Map<string, Table>,
) {
  const objects = createTally()
  for await (const entry of readBackup(source)) {
    const [kind, name = ''] = entry.header.name.split('/')
    if (kind === 'tables') {
      await client.query(required(tables.get(name), 'a table').writer, [`[${(await readLines(entry)).join(',')}]`])
    } else if (kind === 'objects') {
      const key = objectKey(entry)
      const { sizeBytes, sha256 } = await storage.put(key, Readable.from(entry.body))
      objects.add(objectLine(key, sizeBytes, sha256))
    }
  }
  if (!isSameTally(end.objects, objects.read()))
    throw new Failure(500, 'The files do not match the backup after loading.')
}
