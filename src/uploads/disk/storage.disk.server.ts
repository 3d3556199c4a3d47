import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { codeOf } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { measure } from '../measure.server.ts'
import type { ByteRange, Limits, Storage, Stored } from '../storage.server.ts'
import { openDiskParts } from './parts.disk.server.ts'
import { asFailure, syncFolder, writeFile } from './write.server.ts'

const KEY = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)*$/
const OWN = ['tmp', 'parts']

export function openDiskStorage(dir: string): Storage {
  const [temporary, unfinished] = OWN.map((name) => join(dir, name)) as [string, string]
  for (const folder of [temporary, unfinished]) mkdirSync(folder, { recursive: true, mode: 0o700 })

  function pathOf(key: string): string {
    if (!KEY.test(key) || key.includes('..') || OWN.some((name) => key.startsWith(name)))
      throw new Error('not a key of this store')
    return join(dir, key)
  }

  async function put(key: string, stream: Readable, limits: Limits = {}, isOurs?: boolean) {
    const { maxBytes = Infinity, isOnce = false } = limits
    const path = pathOf(key)
    const draft = join(temporary, randomUUID())
    try {
      const stored: Stored = await writeFile(draft, stream, maxBytes, isOurs)
      if (key.includes('/')) await mkdir(dirname(path), { recursive: true })
      // both are atomic; only rename replaces an existing file
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

  async function find(key: string) {
    const file = await stat(pathOf(key)).catch(() => null)
    return file && { sizeBytes: file.size, sha256: null }
  }

  /** Creates a hard link. Safe, because `put` and `remove` replace names and never change bytes. */
  async function copy(from: string, to: string) {
    const path = pathOf(to)
    await link(pathOf(from), path).catch(() => copyFile(pathOf(from), path))
  }

  async function remove(key: string) {
    const path = pathOf(key)
    await rm(path, { force: true })
    if (dirname(path) !== dir) await rmdir(dirname(path)).catch(() => undefined)
  }

  const { parts, removeAbandoned: removeParts } = openDiskParts({
    folder: unfinished,
    drafts: temporary,
    putWhole: (key, stream) => put(key, stream, { isOnce: true }, true),
    measure: async (key) => measure((await openBytes(key)).stream),
  })

  async function removeAbandoned(olderThanMs: number, isOpen = async (_uploadId: string) => false) {
    let removed = 0
    for (const name of await readdir(temporary)) {
      const path = join(temporary, name)
      const file = await stat(path).catch(() => null)
      if (!file || Date.now() - file.mtimeMs < olderThanMs) continue
      // recursive, because a killed node may leave a folder of parts
      await rm(path, { recursive: true, force: true })
      removed++
    }
    return removed + (await removeParts(olderThanMs, isOpen))
  }

  async function wipe() {
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true, force: true })
    for (const folder of [temporary, unfinished]) mkdirSync(folder, { mode: 0o700 })
  }

  return { put, open: openBytes, find, copy, remove, removeAbandoned, wipe, parts }
}
