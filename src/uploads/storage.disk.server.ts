import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { codeOf } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { ByteRange, Storage, Stored } from './storage.server.ts'

const KEY = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)*$/

export function openDiskStorage(dir: string): Storage {
  const temporary = join(dir, 'tmp')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })

  function pathOf(key: string): string {
    if (!KEY.test(key) || key.includes('..') || key.startsWith('tmp')) throw new Error('not a key of this store')
    return join(dir, key)
  }

  async function put(key: string, stream: Readable, { maxBytes = Infinity, isOnce = false } = {}): Promise<Stored> {
    const path = pathOf(key)
    const draft = join(temporary, randomUUID())
    try {
      const stored = await write(draft, stream, maxBytes)
      if (key.includes('/')) await mkdir(dirname(path), { recursive: true })
      // both are atomic; only a rename replaces an existing file
      await (isOnce ? link(draft, path) : rename(draft, path))
      for (let folder = dirname(path); folder.length >= dir.length; folder = dirname(folder)) await syncFolder(folder)
      return stored
    } catch (error) {
      throw asFailure(error)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async function openBytes(key: string, range?: ByteRange) {
    const file = await open(pathOf(key), 'r').catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new Failure(404, 'Not found', 'no_bytes') : error
    })
    try {
      const { size } = await file.stat()
      return { sizeBytes: size, stream: file.createReadStream(range) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** A second name of the same bytes: `put` and `remove` replace and remove names. */
  async function copy(from: string, to: string) {
    const path = pathOf(to)
    await link(pathOf(from), path).catch(() => copyFile(pathOf(from), path))
  }

  async function remove(key: string) {
    const path = pathOf(key)
    await rm(path, { force: true })
    if (dirname(path) !== dir) await rmdir(dirname(path)).catch(() => undefined)
  }

  async function removeAbandoned(olderThanMs: number) {
    let removed = 0
    for (const name of await readdir(temporary)) {
      const path = join(temporary, name)
      const file = await stat(path).catch(() => null)
      if (!file || Date.now() - file.mtimeMs < olderThanMs) continue
      await rm(path, { force: true })
      removed++
    }
    return removed
  }

  return { put, open: openBytes, copy, remove, removeAbandoned }
}

/** Measures and hashes while writing. Returns when the bytes are on the disk. */
async function write(path: string, stream: Readable, maxBytes: number): Promise<Stored> {
  const file = await open(path, 'wx', 0o600)
  try {
    const sha256 = createHash('sha256')
    const md5 = createHash('md5')
    let sizeBytes = 0
    // the caller still needs the connection for its response
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      sha256.update(chunk)
      md5.update(chunk)
      await writeAll(file, chunk)
    }
    if (sizeBytes === 0) throw new Failure(400, 'The file is empty.', 'empty')
    await file.sync()
    return { sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Buffer) {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

/** Makes a new file name survive a power cut. */
export async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export const tooLarge = (maxBytes: number) =>
  new Failure(413, `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`, 'too_large')

function asFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Failure(507, 'There’s no room for this file right now. Please try again later.', 'no_room')
  if (code === 'EEXIST') return new Failure(409, 'There is a file under this address already.', 'exists')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new Failure(400, 'The upload was interrupted.', 'interrupted')
  return error
}
