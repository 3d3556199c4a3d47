import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startS3 } from '../sandbox/s3/server.ts'
import { send } from '../src/kit/call.ts'
import type { Endpoint, Input, Reply } from '../src/kit/contract.ts'
import { openDiskStorage } from '../src/uploads/disk/storage.disk.server.ts'
import { COMPLETE, listParts, signPart, startParts } from '../src/uploads/parts/parts.contract.ts'
import { partBytesOf } from '../src/uploads/parts/partSize.rules.ts'
import { openS3Storage } from '../src/uploads/s3/storage.s3.server.ts'
import { sweepUploads } from '../src/uploads/sweep.server.ts'
import { openWorld, type Shopper, type World } from './world.ts'
import { lastOf, required } from '../src/kit/values/required.ts'

const MB = 1024 * 1024
const AT_ONCE = 6
const PER_MEMBER = 10
const TIMEOUT_MS = 60_000

export const UPLOAD_STORES = ['disk', 's3'] as const
export type UploadStore = (typeof UPLOAD_STORES)[number]
type Options = { store: UploadStore; megabytes: number; abandoned: number }

/**
 * Uploads a large file in parts to two nodes. Meanwhile it cuts the network three times and kills a node twice. After
 * the second kill the node stays down. Then it abandons `abandoned` uploads, which a sweep must delete.
 */
export async function runUploads(databaseUrl: string, { store, megabytes, abandoned }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'primo-drill-s3-'))
  const s3 = store === 's3' ? await startS3({ folder }) : null
  const settings: Record<string, string> = s3
    ? {
        ...{ S3_ENDPOINT: s3.endpoint, S3_REGION: s3.region, S3_BUCKET: s3.bucket, S3_KEY: s3.key },
        ...{ S3_SECRET: s3.secret, S3_FORCE_PATH_STYLE: '1', S3_DOWNLOADS: 'stream' },
      }
    : {}
  const world = await openWorld(databaseUrl, { MAX_DIGITAL_FILE_MB: String(megabytes), ...settings })
  const wrong: string[] = []
  try {
    const [shopper, ...others] = await world.invite(1 + Math.ceil(abandoned / PER_MEMBER))
    await world.start()
    const second = await world.startBeside()
    const startedAt = performance.now()
    const sent = await sendFile(world, second.url, required(shopper, 'the shopper'), megabytes * MB)
    wrong.push(...sent.wrong)
    const seconds = (performance.now() - startedAt) / 1000

    const storage = s3
      ? openS3Storage({ ...s3, isPathStyle: true, isRedirecting: false }, megabytes * MB)
      : openDiskStorage(join(world.dataDir, 'objects'))
    await abandon(second.url, others, abandoned)
    await sql`UPDATE objects SET expires_at = now() - interval '1 hour' WHERE status = 'issued'`.execute(
      world.database.db,
    )
    await sql`UPDATE objects SET created_at = created_at - interval '2 days' WHERE status = 'issued'`.execute(
      world.database.db,
    )
    const drafts = world.objectsDir ? join(world.objectsDir, 'tmp') : null
    const aDayAgo = new Date(Date.now() - 25 * 3_600_000)
    for (const name of drafts ? await readdir(drafts) : [])
      await utimes(join(required(drafts, 'the folder of drafts'), name), aDayAgo, aDayAgo)
    for (let batch = 0; batch < 3; batch++) await sweepUploads(world.database.db, storage)
    const halves = drafts ? (await readdir(drafts)).length : 0
    if (halves > 0) wrong.push(`${halves} halves of files are left after the sweep`)
    const left = await world.database.db.selectFrom('objects').select('id').where('status', '=', 'issued').execute()
    if (left.length > 0) wrong.push(`${left.length} uploads are left after the sweep`)
    const unfinished = s3 ? s3.store.uploads.size : (await readdir(join(world.dataDir, 'objects/parts'))).length
    if (unfinished > 0) wrong.push(`the parts of ${unfinished} uploads are left after the sweep`)
    wrong.push(...second.shop.errors())
    return { wrong, sentAgain: sent.sentAgain, seconds }
  } finally {
    await world.close()
    await s3?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const ask = <E extends Endpoint>({ cookie }: Shopper, base: string, endpoint: E, input: Input<E>): Promise<Reply<E>> =>
  send(endpoint, input, { base, headers: { cookie } })

const bytesOf = (number: number, sizeBytes: number) => {
  const partBytes = partBytesOf(sizeBytes)
  return Buffer.alloc(Math.min(partBytes, sizeBytes - (number - 1) * partBytes), `part ${number};`)
}
const countOf = (sizeBytes: number) => Math.ceil(sizeBytes / partBytesOf(sizeBytes))
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64')

async function sendFile(world: World, secondUrl: string, shopper: Shopper, sizeBytes: number) {
  const count = countOf(sizeBytes)
  const metadata = { kind: 'file', size: String(sizeBytes), checksum: 'sha256' }
  const upload = await ask(shopper, world.url, startParts, { filename: 'film.bin', metadata })
  let isFirstUp = true
  let isFirstGone = false
  let network = new AbortController()
  const damages: [share: number, damage: () => Promise<void>][] = [
    [0.15, async () => cut()],
    [0.3, () => kill()],
    [0.5, async () => cut()],
    [0.7, () => kill('for good')],
    [0.85, async () => cut()],
  ]
  const cut = () => {
    network.abort()
    network = new AbortController()
  }
  async function kill(how?: 'for good') {
    isFirstUp = false
    isFirstGone = how !== undefined
    await world.kill()
    if (isFirstGone) return
    await world.start()
    isFirstUp = true
  }

  let arrived = 0
  let sentAgain = 0
  const queue = Array.from({ length: count }, (_, i) => i + 1)
  const damaging: Promise<void>[] = []
  async function sendPart(number: number) {
    const bytes = bytesOf(number, sizeBytes)
    const sha256 = hashOf(bytes)
    for (let tries = 0, since = performance.now(); ; tries++) {
      const url = isFirstUp && (number + tries) % 2 === 0 ? world.url : secondUrl
      try {
        const signed = await ask(shopper, url, signPart, { ...upload, partNumber: String(number), sha256 })
        const answer = await fetch(signed.url, {
          ...{ method: 'PUT', headers: signed.headers, signal: network.signal },
          body: bytes as Buffer<ArrayBuffer>,
        })
        if (!answer.ok) throw new Error(`a part answered ${answer.status} ${await answer.text()}`)
        await answer.arrayBuffer()
        return void arrived++
      } catch (error) {
        sentAgain++
        if (performance.now() - since > TIMEOUT_MS) throw error
        await pause(100)
      }
    }
  }
  const work = async () => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      await sendPart(number)
      for (let [next] = damages; next && arrived >= count * next[0]; [next] = damages) {
        damages.shift()
        damaging.push(next[1]())
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await Promise.all(damaging)

  const wrong: string[] = []
  const parts = await ask(shopper, secondUrl, listParts, upload)
  if (parts.length !== count) wrong.push(`${parts.length} of ${count} parts are there`)
  const path = `${lastOf(COMPLETE.split(' ')).replace(':uploadId', encodeURIComponent(upload.uploadId))}?key=${upload.key}`
  for (const startedAt = performance.now(); ;) {
    const answer = await fetch(secondUrl + path, {
      method: 'POST',
      headers: { cookie: shopper.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ parts: parts.map(({ ETag, PartNumber }) => ({ ETag, PartNumber })) }),
    })
    if (answer.ok) break
    const text = await answer.text()
    if (answer.status !== 503 || performance.now() - startedAt > TIMEOUT_MS)
      return { wrong: [...wrong, `complete answered ${answer.status} ${text}`], sentAgain }
    await pause(500)
  }
  const expected = createHash('sha256')
  for (let number = 1; number <= count; number++) expected.update(bytesOf(number, sizeBytes))
  const stored = createHash('sha256')
  const answer = await fetch(`${secondUrl}/objects/${upload.key}`, { headers: { cookie: shopper.cookie } })
  for await (const chunk of required(answer.body, 'the body of the response')) stored.update(chunk as Uint8Array)
  if (stored.digest('hex') !== expected.digest('hex')) wrong.push('the stored file is another one')
  return { wrong, sentAgain }
}

async function abandon(url: string, members: Shopper[], count: number) {
  const sizeBytes = 12 * MB
  await Promise.all(
    members.map(async (member, place) => {
      for (let n = 0; n < Math.min(PER_MEMBER, count - place * PER_MEMBER); n++) {
        const metadata = { kind: 'file', size: String(sizeBytes) }
        const upload = await ask(member, url, startParts, { filename: `left-${n}.bin`, metadata })
        const { url: target, headers } = await ask(member, url, signPart, { ...upload, partNumber: '1' })
        const network = new AbortController()
        const body = bytesOf(1, sizeBytes) as Buffer<ArrayBuffer>
        const sending = fetch(target, { method: 'PUT', headers, body, signal: network.signal }).catch(() => undefined)
        if (n % 2 === 0) setTimeout(() => network.abort(), 2)
        await sending
      }
    }),
  )
}
