import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { Failure, operatorFailure } from '../../src/kit/failure.ts'
import type { Config } from '../../src/app/settings.server.ts'
import type { Storage, Stored } from '../../src/uploads/storage.server.ts'
import { asJson } from './backup.format.ts'
import { required } from '../../src/kit/values/required.ts'

// Encrypted backups in a bucket: backups/NAME, and backups/NAME.json, the manifest of a complete backup.

const FOLDER = 'backups/'
const MANIFEST = '.json'
/** Memory per write. A store accepts 10,000 parts, so the limit of a backup is 160 GB. */
const PIECE_BYTES = 16 * 1024 * 1024
const TRIES = 5

/** `sizeBytes` and `sha256` describe the encrypted bytes. */
const Manifest = z.object({
  name: z.string(),
  madeAt: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  rows: z.number(),
  files: z.number(),
  damaged: z.number(),
})
export type Manifest = z.infer<typeof Manifest>

export type Bucket = Awaited<ReturnType<typeof openBucket>>

export async function openBucket({ backups }: Pick<Config, 'backups'>) {
  if (!backups.s3)
    throw operatorFailure(
      'BACKUP_S3_BUCKET: not set; give BACKUP_S3_ENDPOINT, _BUCKET, _KEY and _SECRET, or the settings S3_* of the shop.',
    )
  const { listObjects, openS3Storage } = await import('../../src/uploads/s3/storage.s3.server.ts')
  const { openS3 } = await import('../../src/uploads/s3/client.server.ts')
  const storage = openS3Storage(backups.s3, Infinity, PIECE_BYTES)
  const s3 = openS3(backups.s3)

  /** Lists complete backups, newest first. Their names begin with their time. */
  async function list(): Promise<string[]> {
    const keys = (await listObjects(s3, FOLDER)).map(({ key }) => key.slice(FOLDER.length))
    const complete = keys.filter((key) => key.endsWith(MANIFEST)).map((key) => key.slice(0, -MANIFEST.length))
    return complete.sort().toReversed()
  }

  async function find(name?: string): Promise<Manifest> {
    const wanted = name ?? (await list())[0]
    if (!wanted) throw new Failure(404, `The bucket ${required(backups.s3, 'the s3').bucket} has no backup.`)
    const { stream } = await storage.open(`${FOLDER}${wanted}${MANIFEST}`).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 404)
        throw new Failure(404, `There is no backup ${wanted}. See npm run shop -- backup list`)
      throw error
    })
    return Manifest.parse(await json(stream))
  }

  async function finish(manifest: Manifest) {
    await storage.put(`${FOLDER}${manifest.name}${MANIFEST}`, Readable.from([asJson(manifest)]))
  }

  async function removeOld(): Promise<number> {
    const complete = await list()
    const last = complete[backups.keep - 1]
    if (!last) return 0
    const old = (await listObjects(s3, FOLDER)).map(({ key }) => key).filter((key) => key < FOLDER + last)
    // Removes manifests first: without its manifest, a backup counts as incomplete.
    for (const key of old.toSorted((a, b) => Number(b.endsWith(MANIFEST)) - Number(a.endsWith(MANIFEST))))
      await storage.remove(key)
    return complete.length - backups.keep
  }

  return {
    bucket: backups.s3.bucket,
    list,
    find,
    put: (name: string, stream: Readable): Promise<Stored> => storage.put(FOLDER + name, stream, { isOnce: true }),
    finish,
    removeOld,
    read: ({ name, sizeBytes }: Manifest) => readOn(storage, FOLDER + name, sizeBytes),
  }
}

/** Reads the bytes of a key and resumes after a broken connection. */
async function* readOn(storage: Storage, key: string, sizeBytes: number): AsyncGenerator<Buffer> {
  let at = 0
  for (let tries = 1; at < sizeBytes; tries++) {
    const { stream } = await storage.open(key, { start: at, end: sizeBytes - 1 })
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        at += chunk.length
        tries = 0
        yield chunk
      }
    } catch (error) {
      if (tries >= TRIES) throw error
    }
    if (tries >= TRIES) return
  }
}
