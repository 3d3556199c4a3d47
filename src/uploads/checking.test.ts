import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Failure } from '../kit/failure.ts'
import { acceptUpload, takeIncoming } from './keep.server.ts'
import { type Person, type Served, startServed } from '../../test/served.ts'
import { openStore, type Store } from '../../test/stores.ts'
import { uploadRoutes } from './uploads.server.ts'

// Only one call at a time checks the bytes of an upload. Later bytes never replace them.

const GOOD = randomBytes(1000)
const HARMFUL = Buffer.concat([Buffer.from('EVIL'), GOOD.subarray(4)])
const sha256 = createHash('sha256').update(GOOD).digest('hex')

let store: Store
let shop: Served
let ada: Person
let scanning = Promise.withResolvers<void>()
let released = Promise.withResolvers<void>()

let isHeld = false

/** Blocks the first scan of a test until its release. */
async function scan(bytes: Readable) {
  const whole = await buffer(bytes)
  scanning.resolve()
  if (!isHeld) {
    isHeld = true
    await released.promise
  }
  return whole.includes('EVIL') ? 'Test.Evil' : null
}

beforeAll(async () => {
  store = await openStore('s3')
  const config = { maxFileBytes: 1024 * 1024 }
  shop = await startServed(
    (storage) => uploadRoutes({ storage: { ...storage, scan }, secret: 's'.repeat(32), config, publicUrl: undefined }),
    { open: () => store.storage },
  )
  ada = await shop.addPerson()
})
afterAll(async () => {
  await shop.stop()
  await store.stop()
})
beforeEach(() => {
  scanning = Promise.withResolvers()
  released = Promise.withResolvers()
  isHeld = false
})
afterEach(() => released.resolve())

type Reply = {
  status: number
  id: string
  uploadURL: string
  headers: Record<string, string>
  key: string
  uploadId: string
}

async function post(url: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { cookie: ada.cookie, ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...((await answer.json()) as Reply), status: answer.status }
}
const rowOf = (id: string) =>
  shop.db.selectFrom('objects').select(['status', 'sha256']).where('id', '=', id).executeTakeFirst()
const bytesOf = async (id: string) => buffer((await store.storage.open(id)).stream)

async function issue({ cookie } = ada) {
  const headers = { cookie, 'x-file-size': String(GOOD.length) }
  const issued = await post(`${shop.url}/api/objects/upload`, undefined, headers)
  const put = (bytes: Buffer) =>
    fetch(issued.uploadURL, { method: 'PUT', headers: issued.headers, body: bytes as Buffer<ArrayBuffer> })
  return { id: issued.id, put, finish: (base = shop.url) => post(`${base}/api/objects/${issued.id}/finish`) }
}

async function storeGood() {
  const { id, put, finish } = await issue()
  await put(GOOD)
  released.resolve()
  expect((await finish()).status).toBe(200)
  return id
}

test('stores the scanned bytes although other bytes are sent and finished during the scan', async () => {
  const { id, put, finish } = await issue()
  await put(GOOD)
  const first = finish()
  await scanning.promise
  await put(HARMFUL)
  expect(await finish(shop.otherUrl)).toMatchObject({ status: 503, code: 'checking' })
  released.resolve()
  expect((await first).status).toBe(200)
  expect(await rowOf(id)).toEqual({ status: 'stored', sha256 })
  expect((await bytesOf(id)).equals(GOOD)).toBe(true)
})

test('repeats a killed node’s check of the first bytes after its lease', async () => {
  const { id, put, finish } = await issue()
  await put(GOOD)
  await store.storage.direct!.accept(id)
  await put(HARMFUL)
  const leaseOf = (seconds: number) => ({ checkingUntil: new Date(Date.now() + seconds * 1000) })
  await shop.db.updateTable('objects').set(leaseOf(20)).where('id', '=', id).execute()
  expect((await finish()).status).toBe(503)
  await shop.db.updateTable('objects').set(leaseOf(-1)).where('id', '=', id).execute()
  released.resolve()
  expect((await finish()).status).toBe(200)
  expect((await bytesOf(id)).equals(GOOD)).toBe(true)
  expect(store.s3!.store.objects.has(`incoming/${id}`)).toBe(false)
})

test('does not disturb another call that took over an expired check', async () => {
  const { id, put, finish } = await issue()
  await put(GOOD)
  const first = finish()
  await scanning.promise
  const checkingUntil = new Date(Date.now() + 25_000)
  await shop.db.updateTable('objects').set({ checkingUntil }).where('id', '=', id).execute()
  released.resolve()
  expect((await first).status).toBe(200)
  const row = shop.db.selectFrom('objects').select('checkingUntil').where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ checkingUntil })
})

test('retains the bytes of a stored upload when a late check refuses or fails', async () => {
  const id = await storeGood()
  const stored = { sizeBytes: GOOD.length, sha256 }
  const claim = { isImage: false, fileName: 'a.bin', contentType: null }
  const late = (change: object, storage = store.storage) =>
    acceptUpload(shop.db, storage, { id, userId: ada.id }, { ...stored, ...change }, { ...claim, ...change })
  await expect(late({ isImage: true })).rejects.toMatchObject({ status: 415 })
  const findsEvil = { ...store.storage, scan: async () => 'Test.Evil' }
  await expect(late({}, findsEvil)).rejects.toMatchObject({ code: 'infected' })
  expect(await late({ sha256: '0'.repeat(64) })).toBe(false)
  expect(await late({})).toBe(true)
  expect((await bytesOf(id)).equals(GOOD)).toBe(true)
  expect(await rowOf(id)).toEqual({ status: 'stored', sha256 })
})

test('does not store a refused upload when a late check accepts it', async () => {
  const { id, put, finish } = await issue()
  await put(HARMFUL)
  released.resolve()
  expect((await finish()).status).toBe(400)
  // the browser may have missed the reply and retries
  expect(await finish(shop.otherUrl)).toMatchObject({ status: 400, code: 'infected' })
  const claim = { isImage: false, fileName: 'a.bin', contentType: null }
  const stored = { sizeBytes: GOOD.length, sha256 }
  expect(await acceptUpload(shop.db, store.storage, { id, userId: ada.id }, stored, claim)).toBe(false)
  expect((await rowOf(id))!.status).toBe('issued')
  expect((await bytesOf(id)).equals(HARMFUL)).toBe(true)
  // a late refusal does not replace the first reason
  const asImage = { ...claim, isImage: true }
  await expect(acceptUpload(shop.db, store.storage, { id, userId: ada.id }, stored, asImage)).rejects.toMatchObject({
    status: 415,
  })
  expect(await finish()).toMatchObject({ status: 400, code: 'infected' })
})

test('shows why a file was refused although the store fails to remove its bytes', async () => {
  const { id, put, finish } = await issue()
  await put(GOOD)
  const stored = (await store.storage.direct!.accept(id))!
  const remove = () => Promise.reject(new Failure(503, 'The store is away.'))
  const asImage = { isImage: true, fileName: 'a.png', contentType: null }
  await expect(
    acceptUpload(shop.db, { ...store.storage, remove }, { id, userId: ada.id }, stored, asImage),
  ).rejects.toMatchObject({ status: 415 })
  expect((await finish()).status).toBe(415)
})

test('ignores the bytes of an import while the shop stores them', async () => {
  const { id } = await shop.db
    .insertInto('objects')
    .values({ userId: ada.id, expiresAt: new Date(Date.now() + 60_000) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store.storage.put(id, Readable.from([GOOD]))
  expect(await takeIncoming(shop.db, store.storage, { id, userId: ada.id })).toBe(false)
})

test('counts bytes that arrive after the URL expired against the daily quota, even during their check', async () => {
  const member = await shop.addPerson()
  const sendLate = async () => {
    const { id, put } = await issue(member)
    await put(GOOD)
    await shop.db.updateTable('objects').set({ expiresAt: new Date() }).where('id', '=', id).execute()
    return { id, userId: member.id }
  }
  const storage = { ...store.storage, scan }
  const quota = { maxBytesPerDay: GOOD.length }
  const [first, second] = [await sendLate(), await sendLate()]
  const takeSecond = () => takeIncoming(shop.db, storage, second, quota)
  expect(await takeIncoming(shop.db, storage, first)).toBe(false)
  const checked = takeIncoming(shop.db, storage, first, quota)
  await scanning.promise
  await expect(takeSecond()).rejects.toMatchObject({ status: 429 })
  released.resolve()
  expect(await checked).toBe(true)
  await expect(takeSecond()).rejects.toMatchObject({ status: 429 })
})

async function sendParts(bytes: Buffer) {
  const metadata = { size: String(bytes.length) }
  const { key, uploadId } = await post(`${shop.url}/companion/s3/multipart`, { filename: 'a.bin', metadata })
  const signing = `/companion/s3/multipart/${uploadId}/1?key=${key}`
  const signed = await (await fetch(shop.url + signing, { headers: { cookie: ada.cookie } })).json()
  const { url, headers } = signed as { url: string; headers: Record<string, string> }
  const sent = await fetch(url, { method: 'PUT', headers, body: bytes as Buffer<ArrayBuffer> })
  const parts = [{ PartNumber: 1, ETag: sent.headers.get('etag') }]
  return (base: string) => post(`${base}/companion/s3/multipart/${uploadId}/complete?key=${key}`, { parts })
}

test('returns `checking` for parts that another node checks', async () => {
  const complete = await sendParts(GOOD)
  const first = complete(shop.url)
  await scanning.promise
  expect(await complete(shop.otherUrl)).toMatchObject({ status: 503, code: 'checking' })
  released.resolve()
  expect((await first).status).toBe(200)
  expect((await complete(shop.otherUrl)).status).toBe(200)
})

test('reports on every node that the file of these parts is infected', async () => {
  const complete = await sendParts(HARMFUL)
  released.resolve()
  for (const base of [shop.url, shop.otherUrl, shop.url])
    expect(await complete(base)).toMatchObject({ status: 400, code: 'infected' })
})

test('waits as long for a copy as for a join of parts', async () => {
  const { id, put, finish } = await issue()
  await put(GOOD)
  released.resolve()
  const patience = vi.spyOn(AbortSignal, 'timeout')
  expect((await finish()).status).toBe(200)
  expect(patience).toHaveBeenCalledWith(10 * 60_000)
  patience.mockRestore()
  expect((await rowOf(id))!.status).toBe('stored')
})
