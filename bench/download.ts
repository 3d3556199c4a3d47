import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { places, sized } from '../drill/profile.ts'
import { openDiskStorage } from '../src/uploads/disk/storage.disk.server.ts'
import { openBenchStage, residentMb, startHelper } from './stage.ts'
import { firstOf, only, required } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'

// `node scripts/run.mjs --build bench/download.ts [FOLDER]` compares downloads of a bought file of 100 MB with bare
// node:http. It cuts and resumes a download, requests the file as other people, downloads 1 GB of files as one ZIP, and
// watches the memory of the shop. Prints one line for each.

const MB = 1024 * 1024
const FILE_BYTES = sized(100, 5) * MB
const FILES = sized(10, 2)
const ROUNDS = sized(7, 1)

type DownloadInput = { port: number; path: string; cookie?: string }

const drain = ({ port, path, cookie }: DownloadInput) =>
  new Promise<number>((resolve, reject) => {
    const asked = request({ port, path, headers: { ...(cookie && { cookie }) } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve(response.statusCode === 200 ? bytes : Number.NaN))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })

const cut = ({ port, path, cookie }: DownloadInput, mostBytes: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const asked = request({ port, path, headers: { ...(cookie && { cookie }) } }, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes < mostBytes) return
        asked.destroy()
        resolve(Buffer.concat(chunks))
      })
      response.on('error', () => undefined)
    })
    asked.on('error', reject)
    asked.end()
  })

const stage = await openBenchStage({ products: 100, users: 20, orders: 100 }, { members: 2, folder: places[0] })
const bareDir = await mkdtemp(join(tmpdir(), 'primo-bench-bare-'))
const bare = await startHelper<{ path: string; sizeBytes: number }, number>('bareFile.ts')
const client = new pg.Client({ connectionString: stage.superuserUrl })
try {
  await client.connect()
  const [member, other] = stage.members
  const storage = openDiskStorage(join(stage.dataDir, 'objects'))
  const chunk = randomBytes(MB)
  const store = async (key: string, into = storage) => {
    const chunks = Array.from({ length: FILE_BYTES / MB }, () => chunk)
    return (await into.put(key, Readable.from(chunks))).sha256
  }

  async function own(): Promise<{ orderId: string; lineId: string }> {
    const ids: string[] = []
    const productId = firstOf(stage.productIds)
    for (let i = 0; i < FILES; i++) {
      const objectId = crypto.randomUUID()
      const values = [objectId, productId, `part-${i + 1}.bin`, FILE_BYTES, await store(objectId)]
      await client.query(
        `INSERT INTO objects (id, user_id, status, size_bytes, sha256, file_name, stored_at, expires_at)
         SELECT $1, seller_id, 'bound', $4::bigint, $5, $3, now(), now() FROM products WHERE id = $2`,
        values,
      )
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO product_files (object_id, product_id, file_name, content_type, size_bytes, sha256, part)
         VALUES ($1, $2, $3, 'application/octet-stream', $4, $5, ${i + 2}) RETURNING id`,
        values,
      )
      ids.push(only(rows).id)
    }
    const { rows } = await client.query<{ orderId: string; lineId: string }>(
      `WITH made AS (
         INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, status, expires_at, completed_at)
         VALUES ($1, 'bench', 'bench', 'product', 100, 'completed', now(), now()) RETURNING id),
       sold AS (
         INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id, more_file_ids)
         SELECT made.id, 0, p.id, p.seller_id, p.title, 100, 1, 'file', $3, $4 FROM made, products p WHERE p.id = $2
         RETURNING id, order_id),
       entitled AS (
         INSERT INTO entitlements (order_line_id, user_id, product_id, file_id) SELECT id, $1, $2, $3 FROM sold)
       SELECT order_id AS "orderId", id AS "lineId" FROM sold`,
      [required(member, 'the buyer').id, productId, ids[0], ids.slice(1)],
    )
    return only(rows)
  }

  const { orderId, lineId } = await own()
  const grant = async (asked: object): Promise<DownloadInput> => {
    const answer = await fetch(`http://localhost:${stage.port}/api/orders/${orderId}/lines/${lineId}/download`, {
      method: 'POST',
      headers: {
        cookie: required(member, 'the buyer').cookie,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify(asked),
    })
    if (!answer.ok) throw new Error(`a grant answered ${answer.status}`)
    const { url } = (await answer.json()) as { url: string }
    return { port: stage.port, path: url, cookie: required(member, 'the buyer').cookie }
  }
  const sha256 = await store('bare', openDiskStorage(bareDir))
  const barePort = await bare.ask({ path: join(bareDir, 'bare'), sizeBytes: FILE_BYTES })

  async function perSecond(asked: DownloadInput, connections: number): Promise<number> {
    const start = performance.now()
    const sizes = await Promise.all(Array.from({ length: connections }, () => drain(asked)))
    if (sizes.some((bytes) => bytes !== FILE_BYTES)) throw new Error(`a download has ${sizes.join()} bytes`)
    return (connections * FILE_BYTES) / MB / ((performance.now() - start) / 1000)
  }
  for (const connections of [1, 8]) {
    const [ours, limits]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await perSecond(await grant({}), connections))
      limits.push(await perSecond({ port: barePort, path: '/' }, connections))
    }
    const [one, limit] = [medianOf(ours), medianOf(limits)]
    console.log(
      `download of ${FILE_BYTES / MB} MB, ${connections} at a time: ${Math.round(one)} MB/s, ${(one / limit).toFixed(2)} of bare node:http (${Math.round(limit)} MB/s)`,
    )
  }

  /** Cuts a download and requests the rest by a range. Both parts together have the digest of the file. */
  async function resume() {
    const link = await grant({})
    const first = await cut(link, FILE_BYTES * 0.4)
    const rest = await fetch(`http://localhost:${link.port}${link.path}`, {
      headers: { cookie: required(member, 'the buyer').cookie, range: `bytes=${first.length}-` },
    })
    const hash = createHash('sha256').update(first)
    for await (const part of required(rest.body, 'the body of the response')) hash.update(part)
    const isWhole = rest.status === 206 && hash.digest('hex') === sha256
    if (!isWhole) throw new Error(`the resumed download is another file (${rest.status})`)
    const statusOf = async (cookie?: string) =>
      (await fetch(`http://localhost:${link.port}${link.path}`, { headers: { ...(cookie && { cookie }) } })).status
    const refusals = [await statusOf(required(other, 'another member').cookie), await statusOf()]
    if (refusals.join() !== '404,401') throw new Error(`others got ${refusals.join()}`)
    console.log(
      `a download cut after ${Math.round(first.length / MB)} MB and resumed has the digest of the file; another member got ${refusals[0]}, a visitor ${refusals[1]}`,
    )
  }
  await resume()

  await pause(sized(5000, 0))
  const idleMb = residentMb(stage.shop.pid)
  let mostMb = idleMb
  const watch = setInterval(() => (mostMb = Math.max(mostMb, residentMb(stage.shop.pid))), 100)
  const start = performance.now()
  const bytes = await drain(await grant({ isAll: true }))
  clearInterval(watch)
  if (!(bytes > FILES * FILE_BYTES)) throw new Error(`the ZIP has ${bytes} bytes`)
  const seconds = (performance.now() - start) / 1000
  console.log(
    `ZIP of ${FILES} files, ${Math.round(bytes / MB)} MB: ${Math.round(bytes / MB / seconds)} MB/s, ${Math.round(mostMb - idleMb)} MB above idle (${Math.round(idleMb)} MB)`,
  )
} finally {
  await client.end()
  bare.close()
  await stage.close()
  await rm(bareDir, { recursive: true, force: true })
}
