import { randomBytes, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { MIN_PART_BYTES } from '../parts/parts.contract.ts'
import { pickParts } from '../parts/pick.rules.ts'
import type { Part, PartStorage, Stored } from '../storage.server.ts'
import { badDigest, noSuchUpload } from '../storing.server.ts'
import { asFailure, syncFolder, writeFile } from './write.server.ts'

// A folder stores an upload in parts. A part's file name contains its number and the hash of its bytes.

const UPLOAD_ID = /^[\w-]{24}$/
const PART_FILE = /^(\d{5})\.([0-9a-f]{64})$/

type Options = {
  folder: string
  drafts: string
  putWhole: (key: string, stream: Readable) => Promise<Stored>
  measure: (key: string) => Promise<Stored>
}

export function openDiskParts({ folder, drafts, putWhole, measure }: Options) {
  const folderOf = (uploadId: string) => {
    if (!UPLOAD_ID.test(uploadId)) throw noSuchUpload()
    return join(folder, uploadId)
  }

  const start: PartStorage['start'] = async () => {
    const uploadId = randomBytes(18).toString('base64url')
    try {
      await mkdir(folderOf(uploadId), { recursive: true, mode: 0o700 })
      await syncFolder(folder)
      return uploadId
    } catch (error) {
      throw asFailure(error)
    }
  }

  const put: PartStorage['put'] = async (_key, uploadId, number, stream, { maxBytes, sha256 }) => {
    const place = folderOf(uploadId)
    if (!(await stat(place).catch(() => null))) throw noSuchUpload()
    const draft = join(drafts, randomUUID())
    try {
      const stored = await writeFile(draft, stream, maxBytes)
      if (sha256 !== null && sha256 !== asBase64(stored.sha256)) throw badDigest()
      const name = `${String(number).padStart(5, '0')}.${stored.sha256}`
      await keepPart(draft, place, name)
      return { etag: `"${stored.sha256}"` }
    } catch (error) {
      throw asFailure(error)
    } finally {
      await rm(draft, { force: true })
    }
  }

  const filesOf = async (uploadId: string) => listFiles(folderOf(uploadId))

  const list: PartStorage['list'] = async (_key, uploadId) =>
    (await filesOf(uploadId)).map(({ path: _, at: __, ...part }) => part)

  const finish: PartStorage['finish'] = async (key, uploadId, named) => {
    const files = await filesOf(uploadId).catch(async (error: unknown) => {
      // a node may have joined the parts before it was killed
      const stored = await measure(key).catch(() => null)
      if (stored) return stored
      throw error
    })
    if (!Array.isArray(files)) return files
    const parts = pickParts(files, named)
    if (parts.slice(0, -1).some(({ sizeBytes }) => sizeBytes < MIN_PART_BYTES)) throw tooSmall()
    const whole = Readable.from(readAll(parts.map(({ path }) => path)))
    const stored = await putWhole(key, whole)
      .catch((error: unknown) => {
        // another node may have joined and removed the parts
        const isDone = (error instanceof Failure && error.code === 'exists') || codeOf(error) === 'ENOENT'
        if (isDone) return measure(key)
        throw error
      })
      // the stream may still read a part when the disk is full
      .finally(() => whole.destroy())
    await drop(uploadId)
    return stored
  }

  const abort: PartStorage['abort'] = (_key, uploadId) => drop(uploadId)

  /** Renames the folder first, because a part that arrives during the removal would make it fail. */
  async function drop(uploadId: string) {
    const doomed = join(drafts, randomUUID())
    try {
      await rename(folderOf(uploadId), doomed)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      throw error
    }
    await rm(doomed, { recursive: true, force: true })
  }

  async function removeAbandoned(olderThanMs: number, isOpen: (uploadId: string) => Promise<boolean>) {
    let removed = 0
    for (const uploadId of await readdir(folder)) {
      const place = await stat(join(folder, uploadId)).catch(() => null)
      if (!place || Date.now() - place.mtimeMs < olderThanMs || (await isOpen(uploadId))) continue
      await drop(uploadId)
      removed++
    }
    return removed
  }

  return { parts: { start, put, list, finish, abort } satisfies PartStorage, removeAbandoned }
}

/** Returns the latest file of each part. */
async function listFiles(place: string) {
  const names = await readdir(place).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? noSuchUpload() : error
  })
  const latest = new Map<number, Part & { path: string; at: number }>()
  for (const name of names) {
    const [, number, hash] = PART_FILE.exec(name) ?? []
    const path = join(place, name)
    const file = hash && (await stat(path).catch(() => null))
    if (!file) continue
    const part = { number: Number(number), sizeBytes: file.size, etag: `"${hash}"`, sha256: asBase64(hash) }
    const other = latest.get(part.number)
    if (!other || other.at <= file.mtimeMs) latest.set(part.number, { ...part, path, at: file.mtimeMs })
  }
  return [...latest.values()].sort((a, b) => a.number - b.number)
}

/** Throws a Failure 404 if the upload was canceled or finished in the meantime. */
async function keepPart(draft: string, place: string, name: string) {
  try {
    await rename(draft, join(place, name))
    await dropEarlier(place, name)
    await syncFolder(place)
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? noSuchUpload() : error
  }
}

/** Removes earlier bytes of a part that is sent again. The last of two concurrent writes wins. */
async function dropEarlier(place: string, name: string) {
  const others = (await readdir(place)).filter((other) => other !== name && other.startsWith(name.slice(0, 6)))
  if (others.length === 0) return
  const now = new Date()
  await utimes(join(place, name), now, now)
  for (const other of others) {
    const file = await stat(join(place, other)).catch(() => null)
    if (file && file.mtimeMs < now.getTime()) await rm(join(place, other), { force: true })
  }
}

async function* readAll(paths: string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>
}

const asBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

const tooSmall = () =>
  new Failure(400, 'Your proposed upload is smaller than the minimum allowed size', 'EntityTooSmall')
