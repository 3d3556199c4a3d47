import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline as pipeThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker, type TarPackController } from 'modern-tar'
import type pg from 'pg'
import type { Config } from '../../src/app/settings.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { Failure, operatorFailure } from '../../src/kit/failure.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import { syncFolder } from '../../src/uploads/disk/write.server.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import {
  asJson,
  createTally,
  END,
  type End,
  FORMAT,
  HEAD,
  type Head,
  markSecret,
  objectLine,
  type Tally,
} from './backup.format.ts'
import { openBucket } from './backup.bucket.ts'
import { seal } from './backup.seal.ts'
import { listTables, readChunks, setTextFormat, type Table } from './backup.rows.ts'
import { command } from './command.ts'
import { type KeyRow, keysOf, SELECT_KEYS, type StoredKey } from './objects.keys.ts'
import { accountsFile, readSchema, secretFile, withCleanUp, withClient, withServer } from './connection.ts'
import { required } from '../../src/kit/values/required.ts'

export const backupCommand = command({
  name: 'backup',
  usage: '<file> | --to s3',
  places: 1,
  leastPlaces: 0,
  options: { to: { type: 'string' } },
  about: 'Writes the whole store into one file or, sealed with SECRET, into a bucket, also while the shop runs',
  run: async (terminal, { to }, [path]) => {
    if (to === undefined ? path === undefined : to !== 's3' || path !== undefined)
      throw new Failure(400, 'Give a file, or --to s3.')
    const config = terminal.readConfig()
    const { name, end } = await (path === undefined ? backUpToBucket(config) : backUpToFile(config, resolve(path)))
    terminal.print(`${name}: ${rowsOf(end)} rows, ${end.objects.count} files (${megabytes(end.objectBytes)}).`)
    if (end.damaged.length === 0) return
    throw operatorFailure(
      `The backup is complete, but files of the store itself are missing or damaged: ${end.damaged.join(', ')}. Restore them from an older backup.`,
    )
  },
})

const rowsOf = ({ tables }: End) => Object.values(tables).reduce((sum, { count }) => sum + count, 0)

async function backUpToFile(config: Config, file: string): Promise<{ name: string; end: End }> {
  await refuseName(file)
  return withServer(config, ({ ownerUrl }) =>
    withClient(ownerUrl, async (client) => {
      const end = await write(file, (tar) => packBackup(config, client, tar))
      await record(client, { sizeBytes: (await stat(file)).size, store: 'file', name: file, sha256: null })
      return { name: file, end }
    }),
  )
}

async function backUpToBucket(config: Config): Promise<{ name: string; end: End }> {
  if (!config.givenSecret)
    throw operatorFailure(
      `SECRET: not set; a backup in a bucket is sealed with it. Set it to the content of ${secretFile(config)} and keep a copy elsewhere.`,
    )
  const bucket = await openBucket(config)
  const madeAt = new Date().toISOString()
  const name = `primo-${madeAt.replaceAll(/[-:]/g, '').replace('.', '')}.tar.gz.sealed`
  return withServer(config, ({ ownerUrl }) =>
    withClient(ownerUrl, async (client) => {
      const { packing, packed } = startPacking(config, client)
      const sealed = Readable.from(seal(packed, required(config.givenSecret, 'the given secret')))
      const stored = await bucket.put(name, sealed).catch(async (error: unknown) => {
        packed.destroy()
        sealed.destroy()
        // If reading failed, reports that error: it is the cause of the failed upload.
        const cause = await Promise.race([
          packing.then(
            () => error,
            (own: unknown) => own,
          ),
          pause(100, error),
        ])
        throw cause
      })
      const end = await packing
      const counts = { rows: rowsOf(end), files: end.objects.count, damaged: end.damaged.length }
      await bucket.finish({ name, madeAt, ...stored, ...counts })
      await record(client, { ...stored, store: 's3', name })
      await bucket.removeOld()
      return { name: `${bucket.bucket}/${name}`, end }
    }),
  )
}

function startPacking(config: Config, client: pg.Client) {
  const { readable, controller } = createTarPacker()
  const packing = packBackup(config, client, controller)
  packing.catch((error: unknown) => controller.error(error))
  return {
    packing,
    packed: pipeThrough(Readable.fromWeb(readable as WebStream), createGzip({ level: 4 }), () => undefined),
  }
}

export type BackupResult = {
  sizeBytes: number
  store: 'file' | 's3' | 'pgbackrest'
  name: string
  sha256: string | null
}

/** Records the backup for the status pages. An older database may lack the table or columns. */
export async function record(client: pg.Client, { sizeBytes, store, name, sha256 }: BackupResult, madeAt?: Date) {
  const { rows } = await client.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'backups'`,
  )
  if (rows.length === 0) return
  const values = { ...(madeAt && { made_at: madeAt }), size_bytes: sizeBytes, store, name, sha256 }
  const given = Object.entries(values).filter(([column]) => rows.some((row) => row.column === column))
  await client.query(
    `INSERT INTO backups (${given.map(([column]) => column).join()}) VALUES (${given.map((_, i) => `$${i + 1}`).join()})`,
    given.map(([, value]) => value),
  )
}

async function refuseName(file: string) {
  if (await stat(file).catch(() => null)) throw new Failure(409, `${file} is there already. Give another name.`)
  const folder = await stat(dirname(file)).catch(() => null)
  if (!folder?.isDirectory()) throw new Failure(400, `${dirname(file)} is no folder. Make it, or give another name.`)
}

async function write(file: string, pack: (tar: TarPackController) => Promise<End>): Promise<End> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}`)
  return withCleanUp(
    () => rm(draft, { force: true }),
    async () => {
      const { readable, controller } = createTarPacker()
      const packing = pack(controller)
      // The stream passes errors of the packing to the pipeline. An error of the pipeline ends the packing.
      packing.catch((error: unknown) => controller.error(error))
      await pipeline(
        readable,
        createGzip({ level: 4 }),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      )
      await rename(draft, file)
      await syncFolder(dirname(file))
      return packing
    },
  )
}

/** Writes the rows of one snapshot and then the stored files, which never change under their keys. */
export async function packBackup(config: Config, client: pg.Client, tar: TarPackController): Promise<End> {
  await setTextFormat(client)
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { applied } = await readSchema(client)
  if (applied.length === 0) throw new Failure(409, 'There is no shop in this database: nothing to back up.')
  const list = await listTables(client)
  const head: Head = {
    format: FORMAT,
    madeAt: new Date().toISOString(),
    storeName: config.storeName,
    migrations: applied,
    columns: Object.fromEntries(list.map(({ name, columns }) => [name, columns])),
    secretMark: markSecret(readSecret(config)),
    codesMark: markSecret(config.codesSecret ?? readSecret(config)),
  }
  await packFile(tar, HEAD, asJson(head))
  const tables: Record<string, Tally> = {}
  for (const table of list) tables[table.name] = await packTable(tar, client, table)
  // Sequences are not part of the snapshot. Reading them after the rows ensures that no row has a later number.
  const sequences = await readSequences(client)
  const objects = await packObjects(tar, client, await openStorage(config))
  await client.query('COMMIT')
  await packData(tar, config)
  const end: End = { tables, sequences, ...objects }
  await packFile(tar, END, asJson(end))
  tar.finalize()
  return end
}

const addFile = (tar: TarPackController, name: string, size: number) => tar.add({ name, size, mode: 0o600 }).getWriter()

async function packFile(tar: TarPackController, name: string, bytes: Buffer) {
  const writer = addFile(tar, name, bytes.length)
  await writer.write(bytes)
  await writer.close()
}

async function packTable(tar: TarPackController, client: pg.Client, table: Table): Promise<Tally> {
  const tally = createTally()
  let part = 0
  for await (const lines of readChunks(client, table)) {
    lines.forEach(tally.add)
    const name = `tables/${table.name}/${String(++part).padStart(6, '0')}.ndjson`
    await packFile(tar, name, Buffer.from(`${lines.join('\n')}\n`))
  }
  return tally.read()
}

async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: number | null; isReadable: boolean }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::float8 AS last,
       has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'SELECT') AS "isReadable"
     FROM pg_sequences WHERE schemaname IN ('public', 'sandbox') ORDER BY 1`,
  )
  // Without its sequences, a restored shop would assign numbers twice.
  const hidden = rows.find(({ isReadable }) => !isReadable)
  if (hidden)
    throw operatorFailure(
      `MIGRATE_DATABASE_URL: the role may not read ${hidden.name}. Give the owner of the tables, or run npm run shop -- migrate, which grants it.`,
    )
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])))
}

async function packObjects(tar: TarPackController, client: pg.Client, storage: Storage) {
  const tally = createTally()
  const damaged: string[] = []
  let objectBytes = 0
  for await (const { key, sha256, mayLack } of listKeys(client)) {
    const packed = await packObject(tar, storage, key)
    if (packed) {
      tally.add(objectLine(key, packed.sizeBytes, packed.sha256))
      objectBytes += packed.sizeBytes
    }
    if (packed ? sha256 !== null && sha256 !== packed.sha256 : !mayLack) damaged.push(key)
  }
  return { objects: tally.read(), objectBytes, damaged }
}

async function* listKeys(client: pg.Client): AsyncGenerator<StoredKey> {
  await client.query(`DECLARE backup_objects NO SCROLL CURSOR FOR ${SELECT_KEYS} ORDER BY id`)
  for (;;) {
    const { rows } = await client.query<KeyRow>('FETCH 1000 FROM backup_objects')
    for (const row of rows) yield* keysOf(row)
    if (rows.length === 0) return
  }
}

async function packObject(tar: TarPackController, storage: Storage, key: string) {
  const found = await storage.open(key).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  })
  if (!found) return null
  const { sizeBytes, stream } = found
  const writer = addFile(tar, `objects/${key}`, sizeBytes)
  const hash = createHash('sha256')
  let left = sizeBytes
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    left -= chunk.length
    if (left < 0) break
    hash.update(chunk)
    await writer.write(chunk)
  }
  if (left !== 0) throw new Failure(500, `${key} changed while it was read. Make the backup again.`)
  await writer.close()
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Packs the demo accounts and the generated secret. Without the secret, sold codes cannot be decrypted. */
async function packData(tar: TarPackController, config: Config) {
  const paths = [...(config.givenSecret ? [] : [secretFile(config)]), accountsFile(config)]
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes) await packFile(tar, `data/${basename(path)}`, bytes)
  }
}
