import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { codeOf } from '../../src/kit/database.server.ts'
import { Failure, operatorFailure } from '../../src/kit/failure.ts'
import { migrate } from '../../src/kit/schema/migrate.server.ts'
import { findViolations, INVARIANTS } from '../../src/audit/faults.server.ts'
import { measure } from '../../src/uploads/measure.server.ts'
import { openBucket } from './backup.bucket.ts'
import { checkBackup, type Contents, type Source } from './backup.format.ts'
import { type BackupResult, record } from './backup.ts'
import { type Command, command, explain } from './command.ts'
import { withCleanUp, withClient, withServer } from './connection.ts'
import { findSource, FROM, loadBackup, refuseOtherVersion } from './restore.ts'
import { wipeDatabase } from './store.ts'
import { only } from '../../src/kit/values/required.ts'

const checkCommand = command({
  name: 'backup check',
  usage: '<file> | --from s3 [--name NAME] [--into URL]',
  places: 1,
  leastPlaces: 0,
  about:
    'Restores a backup into a database that is dropped afterwards, checks the books there, and records the outcome',
  options: { ...FROM, into: { type: 'string' } },
  run: async (terminal, values, [path]) => {
    const config = terminal.readConfig()
    const startedAt = performance.now()
    const { source, madeAt } = await findSource(config, values, path)
    await withServer(config, async ({ ownerUrl }) => {
      const outcome = await withScratch(ownerUrl, values.into, (url) =>
        testRestore(source, url).catch((error: unknown) => ({ isGood: false, says: explain(error), madeAt: null })),
      )
      const seconds = (performance.now() - startedAt) / 1000
      await withClient(ownerUrl, (client) =>
        client.query(
          'INSERT INTO restore_tests (backup, backup_made_at, is_good, says, seconds) VALUES ($1, $2, $3, $4, $5)',
          [source.name, outcome.madeAt ?? madeAt, outcome.isGood, outcome.says.slice(0, 2000), seconds],
        ),
      )
      if (!outcome.isGood) throw new Failure(500, `${source.name}: ${outcome.says}`)
      terminal.print(`${source.name}: ${outcome.says} (${seconds.toFixed(0)} s)`)
    })
  },
})

type Outcome = { isGood: boolean; says: string; madeAt: string | null }

async function testRestore(source: Source, url: string): Promise<Outcome> {
  const contents = await checkBackup(source)
  refuseOtherVersion(contents)
  const { head, end } = contents
  const breaches = await restoreAndAsk(url, source, contents)
  const rows = Object.values(end.tables).reduce((sum, { count }) => sum + count, 0)
  const what = `${rows} rows and ${end.objects.count} files of ${head.madeAt} restored`
  if (breaches.length > 0)
    return { isGood: false, says: `${what}, but ${breaches.slice(0, 5).join('; ')}`, madeAt: head.madeAt }
  if (end.damaged.length > 0)
    return { isGood: false, says: `${what}, but ${end.damaged.length} files are missing in it`, madeAt: head.madeAt }
  return { isGood: true, says: `${what}; all ${INVARIANTS.length} ledger rules hold`, madeAt: head.madeAt }
}

const NOWHERE = { put: (_: string, stream: Parameters<typeof measure>[0]) => measure(stream) }

async function restoreAndAsk(url: string, source: Source, contents: Contents): Promise<string[]> {
  await migrate(url, { only: contents.head.migrations })
  await withClient(url, (client) => loadBackup(client, NOWHERE, source, contents))
  await migrate(url)
  const found = await withClient(url, (client) => findViolations(client, INVARIANTS))
  return found.map(({ rule, violation }) => `${rule}: ${violation}`)
}

/** Uses the empty database at `into`, or a new one that is dropped afterwards. */
async function withScratch<T>(ownerUrl: string, into: string | undefined, work: (url: string) => Promise<T>) {
  if (into !== undefined) {
    await withClient(into, refuseTables)
    return withCleanUp(
      () => withClient(into, wipeDatabase),
      () => work(into),
    )
  }
  const name = `primo_check_${randomBytes(4).toString('hex')}`
  await withClient(ownerUrl, (client) => client.query(`CREATE DATABASE ${name}`)).catch((error: unknown) => {
    if (codeOf(error) !== '42501') throw error
    throw operatorFailure(
      'The owner of the tables may not create databases. Run ALTER ROLE ... CREATEDB, or give an empty database of another server: --into URL.',
    )
  })
  const drop = () => withClient(ownerUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  return withCleanUp(
    async () => void (await drop()),
    () => work(Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href),
  )
}

async function refuseTables(client: pg.Client) {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  if (only(rows).tables > 0) throw new Failure(409, '--into: this database has tables. Give an empty one.')
}

const listCommand = command({
  name: 'backup list',
  about: 'Lists the backups in the bucket, newest first',
  run: async (terminal) => {
    const bucket = await openBucket(terminal.readConfig())
    for (const name of await bucket.list()) {
      const { sizeBytes, rows, files, sha256 } = await bucket.find(name)
      terminal.print(`${name}  ${sizeBytes} bytes, ${rows} rows, ${files} files, sha256 ${sha256}`)
    }
  },
})

type Info = { backup: { label: string; error: boolean; timestamp: { stop: number }; info: { size: number } }[] }[]

const noteCommand = command({
  name: 'backup note',
  usage: '< info.json',
  about:
    'Records the newest backup of pgBackRest: pgbackrest --stanza=shop --output=json info | npm run -s shop -- backup note',
  run: async (terminal) => {
    const config = terminal.readConfig()
    const newest = newestIn(await terminal.readInput())
    if (!newest) throw new Failure(404, 'pgBackRest has no complete backup.')
    const made: BackupResult = { store: 'pgbackrest', name: newest.label, sizeBytes: newest.info.size, sha256: null }
    await withServer(config, ({ ownerUrl }) =>
      withClient(ownerUrl, async (client) => {
        const sql = `SELECT FROM backups WHERE store = 'pgbackrest' AND name = $1`
        const { rowCount } = await client.query(sql, [made.name])
        if (!rowCount) await record(client, made, new Date(newest.timestamp.stop * 1000))
      }),
    )
    terminal.print(`${newest.label}: recorded.`)
  },
})

function newestIn(text: string) {
  try {
    const backups = (JSON.parse(text) as Info).flatMap(({ backup }) => backup).filter(({ error }) => !error)
    return backups.toSorted((a, b) => b.timestamp.stop - a.timestamp.stop)[0]
  } catch {
    throw new Failure(400, 'Give the output of pgbackrest --output=json info.')
  }
}

export const backupCommands: Command[] = [checkCommand, listCommand, noteCommand]
