import { partBytesOf } from '../src/uploads/parts/partSize.rules.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isSmallest, places, sized } from '../drill/profile.ts'
import { openBenchStage, residentMb, startHelper } from './stage.ts'
import { required } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'

// `node scripts/run.mjs --build bench/upload.ts [FOLDER]` compares uploads of 100 MB to a signed URL with bare
// node:http. Then ten members send a file of 1 GB in parts at once, while it watches the memory of the shop. Prints one
// line for each. Exits with a code other than 0 if a limit is exceeded. Needs 25 GB of disk.

const MB = 1024 * 1024
const FILE_BYTES = sized(100, 5) * MB
const LARGE_BYTES = sized(1024, 12) * MB
const PART_BYTES = partBytesOf(LARGE_BYTES)
const MIN_SHARE = 0.7
const MAX_MB = 40
const ROUNDS = sized(7, 1)
const MEMBERS = sized(10, 2)
const PARTS_AT_ONCE = 6

const chunk = Buffer.alloc(MB, 'primo')

const put = (url: URL, bytes: number) =>
  new Promise<string>((resolve, reject) => {
    const headers = { 'content-length': bytes, 'content-type': 'application/octet-stream' }
    const sent = request(url, { method: 'PUT', headers }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(String(response.headers.etag ?? ''))
          : reject(new Error(`a PUT answered ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    let left = bytes
    const write = () => {
      while (left > 0) {
        const next = chunk.subarray(0, Math.min(left, chunk.length))
        left -= next.length
        if (!sent.write(next)) return void sent.once('drain', write)
      }
      sent.end()
    }
    write()
  })

const stage = await openBenchStage(
  { products: 100, users: 20, orders: 100 },
  { members: MEMBERS, folder: places[0], shop: { MAX_DIGITAL_FILE_MB: '1024' } },
)
const bareDir = await mkdtemp(join(tmpdir(), 'primo-bench-bare-'))
const bare = await startHelper<{ path: string }, number>('bareTake.ts')
try {
  const barePort = await bare.ask({ path: join(bareDir, 'bare') })
  const base = `http://localhost:${stage.port}`
  const call = async <T>(path: string, cookie: string, body?: unknown): Promise<T> => {
    const answer = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const perSecond = async (url: URL) => {
    const start = performance.now()
    await put(url, FILE_BYTES)
    return FILE_BYTES / MB / ((performance.now() - start) / 1000)
  }

  const [ours, limits]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const { cookie } = required(stage.members[round % MEMBERS], 'an entry of members')
    const { uploadURL } = await call<{ uploadURL: string }>('/api/objects/upload', cookie, {})
    ours.push(await perSecond(new URL(uploadURL)))
    limits.push(await perSecond(new URL(`http://127.0.0.1:${barePort}/`)))
  }
  const [one, limit] = [medianOf(ours), medianOf(limits)]
  console.log(
    `upload of ${FILE_BYTES / MB} MB: ${Math.round(one)} MB/s, ${(one / limit).toFixed(2)} of bare node:http (${Math.round(limit)} MB/s)`,
  )

  await pause(sized(5000, 0))
  const idleMb = residentMb(stage.shop.pid)
  let mostMb = idleMb
  const watch = setInterval(() => (mostMb = Math.max(mostMb, residentMb(stage.shop.pid))), 100)
  const start = performance.now()
  await Promise.all(stage.members.map(({ cookie }) => sendInParts(cookie)))
  clearInterval(watch)
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${MEMBERS} uploads of ${LARGE_BYTES / MB} MB in parts at once: ${Math.round((MEMBERS * LARGE_BYTES) / MB / seconds)} MB/s, ${Math.round(mostMb - idleMb)} MB above idle (${Math.round(idleMb)} MB)`,
  )
  if (!isSmallest && (one / limit < MIN_SHARE || mostMb - idleMb > MAX_MB)) process.exitCode = 1

  async function sendInParts(cookie: string) {
    const metadata = { size: String(LARGE_BYTES) }
    const { key, uploadId } = await call<{ key: string; uploadId: string }>('/companion/s3/multipart', cookie, {
      filename: 'part.bin',
      metadata,
    })
    const numbers = Array.from({ length: Math.ceil(LARGE_BYTES / PART_BYTES) }, (_, i) => i + 1)
    const parts: { PartNumber: number; ETag: string }[] = []
    const send = async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        const { url } = await call<{ url: string }>(`/companion/s3/multipart/${uploadId}/${number}?key=${key}`, cookie)
        const bytes = Math.min(PART_BYTES, LARGE_BYTES - (number - 1) * PART_BYTES)
        parts.push({ PartNumber: number, ETag: await put(new URL(url), bytes) })
      }
    }
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, send))
    const ordered = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
    for (;;) {
      const path = `/companion/s3/multipart/${uploadId}/complete?key=${key}`
      const isDone = await call(path, cookie, { parts: ordered }).then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('checking')) throw error
          return false
        },
      )
      if (isDone) return
    }
  }
} finally {
  bare.close()
  await stage.close()
  await rm(bareDir, { recursive: true, force: true })
}
