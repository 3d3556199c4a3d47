import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker, type TarPackController } from 'modern-tar'
import type pg from 'pg'
import type { Config } from '../../src/app/settings.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { Failure, operatorFailure } from '../../src/kit/failure.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import { firstKey, imageKeys } from '../../src/uploads/images/images.server.ts'
import { syncFolder } from '../../src/uploads/disk/write.server.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import {
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
import { listTables, readChunks, setTextFormat, type Table } from './backup.rows.ts'
import { command } from './command.ts'
import { accountsFile, readSchema, secretFile, withCleanUp, withClient, withServer } from './connection.ts'

export const backupCommand = command({
  name: 'backup',
  usage: '<file>',
  places: 1,
  about: 'Writes the whole store into one file, also while the shop runs',
  run: async (terminal, _, [path = '']) => {
    const file = resolve(path)
    const config = terminal.readConfig()
    await refuseName(file)
    const { tables, objects, objectBytes, damaged } = await withServer(config, ({ ownerUrl }) =>
      withClient(ownerUrl, async (client) => {
        const end = await write(file, (tar) => packBackup(config, client, tar))
        await record(client, (await stat(file)).size)
        return end
      }),
    )
    const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0)
    terminal.say(`${file}: ${rows} rows, ${objects.count} files (${megabytes(objectBytes)}).`)
    if (damaged.length === 0) return
    throw operatorFailure(
      `The backup is complete, but files of the store itself are missing or damaged: ${damaged.join(', ')}. Restore them from an older backup.`,
    )
  },
})

/** Records the backup for the status pages, which warn if it is too old. An older database has no such table. */
async function record(client: pg.Client, sizeBytes: number) {
  const { rows } = await client.query<{ isThere: boolean }>(`SELECT to_regclass('backups') IS NOT NULL AS "isThere"`)
  if (rows[0]!.isThere) await client.query('INSERT INTO backups (size_bytes) VALUES ($1)', [sizeBytes])
}

async function refuseName(file: string) {
  if (await stat(file).catch(() => null)) throw new Failure(409, `${file} is there already. Give another name.`)
  const folder = await stat(dirname(file)).catch(() => null)
  if (!folder?.isDirectory()) throw new Failure(400, `${dirname(file)} is no folder. Make it, or give another name.`)
}

/** Writes under a temporary name and renames the file once it is complete and on the disk. */
async function write(file: string, pack: (tar: TarPackController) => Promise<End>): Promise<End> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}`)
  return withCleanUp(
    () => rm(draft, { force: true }),
    async () => {
      const { readable, controller } = createTarPacker()
      const packing = pack(controller)
      // An error reaches the pipeline through the stream, and an error of the pipeline ends the packing.
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
  // Sequences are not part of the snapshot. Read after the rows, they are never behind them.
  const sequences = await readSequences(client)
  const objects = await packObjects(tar, client, await openStorage(config))
  await client.query('COMMIT')
  await packData(tar, config)
  const end: End = { tables, sequences, ...objects }
  await packFile(tar, END, asJson(end))
  tar.finalize()
  return end
}

const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

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
  const { rows } = await client.query<{ name: string; last: number }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::float8 AS last FROM pg_sequences
     WHERE schemaname IN ('public', 'sandbox') AND last_value IS NOT NULL ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
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

type StoredKey = {
  key: string
  /** Null if no row holds the hash. */
  sha256: string | null
  /** An unused upload may be removed during the backup. */
  mayLack: boolean
}
type ObjectRow = { id: string; sha256: string; is_bound: boolean; is_image: boolean; is_shown: boolean }

async function* listKeys(client: pg.Client): AsyncGenerator<StoredKey> {
  await client.query(`DECLARE backup_objects NO SCROLL CURSOR FOR
    SELECT id, sha256, status = 'bound' AS is_bound, coalesce(content_type, '') LIKE 'image/%' AS is_image,
      EXISTS (SELECT FROM public.products WHERE image_object_id = objects.id) AS is_shown
    FROM public.objects WHERE status <> 'issued' ORDER BY id`)
  for (;;) {
    const { rows } = await client.query<ObjectRow>('FETCH 1000 FROM backup_objects')
    for (const { id, sha256, is_bound, is_image, is_shown } of rows) {
      yield { key: id, sha256, mayLack: !is_bound }
      if (is_image)
        for (const key of imageKeys(id)) yield { key, sha256: null, mayLack: !is_shown || key !== firstKey(id) }
    }
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

/** Packs the generated secret, without which sold codes are unreadable, and the demo accounts. */
async function packData(tar: TarPackController, config: Config) {
  const paths = [...(config.givenSecret ? [] : [secretFile(config)]), accountsFile(config)]
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes) await packFile(tar, `data/${basename(path)}`, bytes)
  }
}
