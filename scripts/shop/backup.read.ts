import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { codeOf } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { END, End, FORMAT, HEAD, Head, objectLine } from './backup.format.ts'
import { createTally, isSameTally } from './backup.tally.ts'
import { damaged, type Entry, readTar } from './tar.ts'

/** The files in a backup, one after another. It and the files' bodies throw a Failure when the backup turns out damaged. */
export async function* readBackup(file: string): AsyncGenerator<Entry> {
  yield* readTar(unpack(file))
}

async function* unpack(file: string): AsyncGenerator<Buffer> {
  // both streams report here, whichever fails
  const unpacked = pipeline(createReadStream(file), createGunzip(), () => undefined)
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Failure(404, `There is no file ${file}.`)
    // the other is that of a file that ends before it has begun
    if (codeOf(error).startsWith('Z_') || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE')
      throw damaged('it cannot be unpacked')
    throw error
  } finally {
    unpacked.destroy()
  }
}

export type Contents = { head: Head; end: End; data: Map<string, Buffer> }

/** Reads a backup through and holds every row and byte against its sums, before anything is done with it. */
export async function checkBackup(file: string): Promise<Contents> {
  let head: Head | undefined
  let end: End | undefined
  const data = new Map<string, Buffer>()
  const rows = new Map<string, ReturnType<typeof createTally>>()
  const objects = createTally()
  for await (const entry of readBackup(file)) {
    if (!head) {
      head = await readHead(entry)
      continue
    }
    const [kind, name = ''] = entry.name.split('/')
    if (entry.name === END) end = await readJson(entry, End)
    else if (kind === 'tables') addLines(rows, name, await readText(entry))
    else if (kind === 'objects') objects.add(await measure(entry))
    else if (kind === 'data') data.set(name, Buffer.from(await readText(entry)))
  }
  if (!head || !end) throw damaged('its end is missing')
  for (const [name, sum] of Object.entries(end.tables)) {
    if (!isSameTally(sum, (rows.get(name) ?? createTally()).read()))
      throw damaged(`rows of ${name} are missing or changed`)
  }
  if (!isSameTally(end.objects, objects.read())) throw damaged('files are missing or changed')
  return { head, end, data }
}

export const objectKey = (name: string) => name.slice('objects/'.length)
export const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

export async function readText({ body }: Entry): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function readHead(entry: Entry): Promise<Head> {
  if (entry.name !== HEAD) throw new Failure(409, 'This is not a backup of the shop.')
  const head = await readJson(entry, Head)
  if (head.format > FORMAT) throw new Failure(409, 'The backup was made by a newer version of the shop. Use that one.')
  return head
}

async function readJson<Schema extends z.ZodType>(entry: Entry, schema: Schema): Promise<z.infer<Schema>> {
  try {
    return schema.parse(JSON.parse(await readText(entry)))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw damaged(`${entry.name} cannot be read`)
  }
}

function addLines(rows: Map<string, ReturnType<typeof createTally>>, table: string, text: string) {
  const tally = rows.get(table) ?? createTally()
  rows.set(table, tally)
  linesOf(text).forEach(tally.add)
}

async function measure({ name, size, body }: Entry): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return objectLine(objectKey(name), size, hash.digest('hex'))
}
