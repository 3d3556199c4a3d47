import { createHash, createHmac } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { z } from 'zod'
import { codeOf } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { unseal } from './backup.seal.ts'

// A backup is a tar.gz, so that it can be opened without the shop:
//   primo-backup.json                    Head
//   tables/<schema.table>/000001.ndjson  rows, one JSON array of texts per line, in the order of Head.columns
//   objects/<key>                        stored files
//   data/<name>                          the secret and the demo accounts of DATA_DIR
//   primo-end.json                       End

export const HEAD = 'primo-backup.json'
export const END = 'primo-end.json'
export const FORMAT = 1

const Tally = z.object({ count: z.number(), digest: z.string() })
/** A checksum of lines that does not depend on their order: their number and the sum of their SHA-256. */
export type Tally = z.infer<typeof Tally>

export const Head = z.object({
  format: z.number(),
  madeAt: z.string(),
  storeName: z.string(),
  migrations: z.array(z.string()).min(1),
  columns: z.record(z.string(), z.array(z.string())),
  secretMark: z.string(),
  codesMark: z.string(),
})
export type Head = z.infer<typeof Head>

export const End = z.object({
  tables: z.record(z.string(), Tally),
  sequences: z.record(z.string(), z.number()),
  objects: Tally,
  objectBytes: z.number(),
  /** Keys of files that were missing or damaged when the backup was made. */
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof End>

export const objectLine = (key: string, sizeBytes: number, sha256: string) => `${key} ${sizeBytes} ${sha256}`

export const markSecret = (secret: string) =>
  createHmac('sha256', secret).update('primo backup').digest('hex').slice(0, 16)

const MASK = (1n << 256n) - 1n

export function createTally() {
  let count = 0
  let sum = 0n
  return {
    add: (line: string) => {
      count++
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) & MASK
    },
    read: (): Tally => ({ count, digest: sum.toString(16).padStart(64, '0') }),
  }
}

export const isSameTally = (one: Tally | undefined, other: Tally | undefined) =>
  one !== undefined && one.count === other?.count && one.digest === other.digest

export const asJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

export type Source = { name: string; open: () => AsyncIterable<Buffer> }

export const fileSource = (file: string, secret: () => string): Source => ({
  name: file,
  open: () => unseal(createReadStream(file), secret),
})

/** Reads the files of a backup in order. The caller can skip a file. */
export async function* readBackup(source: Source): AsyncGenerator<ParsedTarEntry> {
  const bytes = pipeline(Readable.from(source.open()), createGunzip(), () => undefined)
  try {
    for await (const entry of ReadableStream.from<Buffer>(bytes).pipeThrough(createTarDecoder({ strict: true }))) {
      yield entry
      // Reads the rest of a skipped entry. After `cancel` the decoder could wait forever for the next entry.
      for await (const _ of entry.body);
    }
  } finally {
    bytes.destroy()
  }
}

export type Contents = { head: Head; end: End; data: Map<string, Buffer> }

export async function checkBackup(source: Source): Promise<Contents> {
  try {
    return await readContents(source)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Failure(404, `There is no file ${source.name}.`)
    const isSystemError = error instanceof Error && 'syscall' in error
    if (error instanceof Failure || isSystemError) throw error
    throw damaged('it cannot be unpacked')
  }
}

async function readContents(source: Source): Promise<Contents> {
  let head: Head | undefined
  let end: End | undefined
  const data = new Map<string, Buffer>()
  const rows = new Map<string, ReturnType<typeof createTally>>()
  const objects = createTally()
  for await (const entry of readBackup(source)) {
    if (!head) {
      head = await readHead(entry)
      continue
    }
    const [kind, name = ''] = entry.header.name.split('/')
    if (kind === END) end = await readJson(entry, End)
    else if (kind === 'tables') await addLines(rows, name, entry)
    else if (kind === 'objects') objects.add(await measure(entry))
    else if (kind === 'data') data.set(name, await buffer(entry.body))
  }
  if (!head || !end) throw damaged('its end is missing')
  for (const [name, sum] of Object.entries(end.tables)) {
    if (!isSameTally(sum, (rows.get(name) ?? createTally()).read()))
      throw damaged(`rows of ${name} are missing or changed`)
  }
  if (!isSameTally(end.objects, objects.read())) throw damaged('files are missing or changed')
  return { head, end, data }
}

export const objectKey = ({ header }: ParsedTarEntry) => header.name.slice('objects/'.length)
export const readLines = async ({ body }: ParsedTarEntry) =>
  (await text(body)).split('\n').filter((line) => line !== '')

async function readHead(entry: ParsedTarEntry): Promise<Head> {
  if (entry.header.name !== HEAD) throw new Failure(409, 'This is not a backup of the shop.')
  const head = await readJson(entry, Head)
  if (head.format > FORMAT) throw new Failure(409, 'The backup was made by a newer version of the shop. Use that one.')
  return head
}

const readJson = async <Schema extends z.ZodType>({ body }: ParsedTarEntry, schema: Schema) =>
  schema.parse(JSON.parse(await text(body)))

async function addLines(rows: Map<string, ReturnType<typeof createTally>>, table: string, entry: ParsedTarEntry) {
  const tally = rows.get(table) ?? createTally()
  rows.set(table, tally)
  for (const line of await readLines(entry)) tally.add(line)
}

async function measure(entry: ParsedTarEntry): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of entry.body) hash.update(chunk)
  return objectLine(objectKey(entry), entry.header.size, hash.digest('hex'))
}

const damaged = (why: string) => new Failure(409, `The backup is damaged: ${why}. Nothing was changed.`)
