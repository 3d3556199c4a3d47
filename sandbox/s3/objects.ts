import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { required } from '../../src/kit/values/required.ts'

// Stores bytes in files and metadata in memory.

export type StoredObject = {
  path: string
  sizeBytes: number
  etag: string
  /** Base64. For a multipart object: the hash of the hashes of its parts, with their number. */
  sha256: string | null
  contentType: string
  at: Date
}
export type Upload = {
  key: string
  at: Date
  isChecked: boolean
  contentType: string
  parts: Map<number, StoredObject>
}

export function openObjects(folder: string) {
  mkdirSync(folder, { recursive: true })
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Upload>()
  const newPath = () => join(folder, randomBytes(12).toString('hex'))

  async function write(stream: Readable, contentType: string): Promise<StoredObject & { hex: string }> {
    const path = newPath()
    const [md5, sha256] = [createHash('md5'), createHash('sha256')]
    let sizeBytes = 0
    async function* measured() {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        md5.update(chunk)
        sha256.update(chunk)
        sizeBytes += chunk.length
        yield chunk
      }
    }
    try {
      await pipeline(Readable.from(measured()), createWriteStream(path))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    const hash = sha256.digest()
    const etag = `"${md5.digest('hex')}"`
    return {
      ...{ path, sizeBytes, etag, contentType },
      sha256: hash.toString('base64'),
      hex: hash.toString('hex'),
      at: new Date(),
    }
  }

  async function drop(kept: StoredObject | undefined) {
    if (kept) await rm(kept.path, { force: true })
  }

  async function set(key: string, kept: StoredObject) {
    const before = objects.get(key)
    objects.set(key, kept)
    await drop(before)
  }

  async function join_(uploadId: string, numbers: number[]) {
    const upload = required(uploads.get(uploadId), 'the upload')
    const parts = numbers.map((number) => required(upload.parts.get(number), 'the part'))
    async function* all() {
      for (const { path } of parts) yield* createReadStream(path) as AsyncIterable<Buffer>
    }
    const { hex: _, ...whole } = await write(Readable.from(all()), upload.contentType)
    const sums = createHash('sha256')
    for (const { sha256 } of parts) sums.update(Buffer.from(sha256 ?? '', 'base64'))
    const sha256 = upload.isChecked ? `${sums.digest('base64')}-${parts.length}` : null
    await set(upload.key, { ...whole, sha256, etag: `${whole.etag.slice(0, -1)}-${parts.length}"` })
    await end(uploadId)
  }

  async function end(uploadId: string) {
    for (const part of uploads.get(uploadId)?.parts.values() ?? []) await drop(part)
    uploads.delete(uploadId)
  }

  async function copy(from: StoredObject): Promise<StoredObject> {
    const { hex: _, ...copied } = await write(createReadStream(from.path), from.contentType)
    return { ...copied, sha256: from.sha256 }
  }

  return { objects, uploads, write, set, drop, join: join_, end, copy, newId: () => randomBytes(16).toString('hex') }
}

export type Objects = ReturnType<typeof openObjects>
