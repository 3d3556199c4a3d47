import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { imageKeys } from '../../src/uploads/images.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import { END, type End, FORMAT, HEAD, type Head, markSecret, objectLine } from './backup.format.ts'
import { accountsFile, openStorage, secretFile } from './connection.ts'
import { listTables, readChunks, speakPlainly, type Table } from './backup.rows.ts'
import { readSchema } from './schema.ts'
import { createTally, type Tally } from './backup.tally.ts'
import { tarEnd, tarHead, tarPadding } from './tar.ts'

type Bytes<Result> = AsyncGenerator<Buffer, Result>

/** The bytes of a backup: rows and keys as of one moment, then the bytes under those keys, which never change. */
export async function* packBackup(config: Config, client: pg.Client): Bytes<End> {
  await speakPlainly(client)
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
  }
  yield* packFile(HEAD, asJson(head))
  const tables: Record<string, Tally> = {}
  for (const table of list) tables[table.name] = yield* packTable(client, table)
  // read after the rows, so that no row has a number yet to come
  const sequences = await readSequences(client)
  const objects = yield* packObjects(client, openStorage(config))
  await client.query('COMMIT')
  yield* packData(config)
  const end: End = { tables, sequences, ...objects }
  yield* packFile(END, asJson(end))
  yield tarEnd()
  return end
}

const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

async function* packFile(name: string, bytes: Buffer): Bytes<void> {
  yield tarHead(name, bytes.length)
  yield bytes
  yield tarPadding(bytes.length)
}

async function* packTable(client: pg.Client, table: Table): Bytes<Tally> {
  const tally = createTally()
  let part = 0
  for await (const lines of readChunks(client, table)) {
    lines.forEach(tally.add)
    const name = `tables/${table.name}/${String(++part).padStart(6, '0')}.ndjson`
    yield* packFile(name, Buffer.from(`${lines.join('\n')}\n`))
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

async function* packObjects(client: pg.Client, storage: Storage): Bytes<Omit<End, 'tables' | 'sequences'>> {
  const tally = createTally()
  const damaged: string[] = []
  let objectBytes = 0
  for await (const { key, sha256, mayLack } of listKeys(client)) {
    const packed = yield* packObject(storage, key)
    if (packed) {
      tally.add(objectLine(key, packed.sizeBytes, packed.sha256))
      objectBytes += packed.sizeBytes
    }
    if (packed ? sha256 !== null && sha256 !== packed.sha256 : !mayLack) damaged.push(key)
  }
  return { objects: tally.read(), objectBytes, damaged }
}

type Wanted = {
  key: string
  /** Null when no row tells. */
  sha256: string | null
  /** An upload that nothing uses may be swept away while we read. */
  mayLack: boolean
}
type ObjectRow = { id: string; sha256: string; is_bound: boolean; is_image: boolean; is_shown: boolean }

async function* listKeys(client: pg.Client): AsyncGenerator<Wanted> {
  await client.query(`DECLARE backup_objects NO SCROLL CURSOR FOR
    SELECT id, sha256, status = 'bound' AS is_bound, coalesce(content_type, '') LIKE 'image/%' AS is_image,
      EXISTS (SELECT FROM public.products WHERE image_object_id = objects.id) AS is_shown
    FROM public.objects WHERE status <> 'issued' ORDER BY id`)
  for (;;) {
    const { rows } = await client.query<ObjectRow>('FETCH 1000 FROM backup_objects')
    for (const { id, sha256, is_bound, is_image, is_shown } of rows) {
      yield { key: id, sha256, mayLack: !is_bound }
      if (is_image) for (const key of imageKeys(id)) yield { key, sha256: null, mayLack: !is_shown }
    }
    if (rows.length === 0) return
  }
}

async function* packObject(storage: Storage, key: string): Bytes<{ sizeBytes: number; sha256: string } | null> {
  const found = await storage.open(key).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  })
  if (!found) return null
  yield tarHead(`objects/${key}`, found.sizeBytes)
  const hash = createHash('sha256')
  let left = found.sizeBytes
  for await (const chunk of found.stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    left -= chunk.length
    yield chunk
  }
  if (left !== 0) throw new Failure(500, `${key} changed while it was read. Make the backup again.`)
  yield tarPadding(found.sizeBytes)
  return { sizeBytes: found.sizeBytes, sha256: hash.digest('hex') }
}

/** Sold codes cannot be read without the secret; one that was given in the settings stays where it is. */
async function* packData(config: Config): Bytes<void> {
  const paths = [...(config.givenSecret ? [] : [secretFile(config)]), accountsFile(config)]
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes) yield* packFile(`data/${basename(path)}`, bytes)
  }
}
