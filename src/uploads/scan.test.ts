import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { findUpload } from './binding.server.ts'
import { checkDailyQuota } from './budget/budget.server.ts'
import { listQuarantine } from './quarantine.server.ts'
import { checkScanner, openScanner } from './scan.server.ts'
import { issue, type Person, type Served, startServed } from '../../test/served.ts'
import { sweepUploads } from './sweep.server.ts'
import { uploadRoutes } from './uploads.server.ts'

const MAX = 4 * 1024 * 1024
let shop: Served
let ada: Person
let scanner: Server
let isDown = false

/** Starts a daemon with ClamAV's protocol that detects one harmful string. */
const startScanner = () =>
  createServer((socket) => {
    if (isDown) return socket.destroy()
    let got = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      got = Buffer.concat([got, part])
      if (got.toString() === 'zPING\0') socket.end('PONG\0')
      const command = 'zINSTREAM\0'
      const pieces: Buffer[] = []
      for (let at = command.length; at + 4 <= got.length;) {
        const length = got.readUInt32BE(at)
        pieces.push(got.subarray(at + 4, at + 4 + length))
        at += 4 + length
        if (length === 0 && got.subarray(0, command.length).toString() === command)
          socket.end(Buffer.concat(pieces).includes('EVIL') ? 'stream: Test.Evil FOUND\0' : 'stream: OK\0')
      }
    })
  })

const addressOf = () => `127.0.0.1:${(scanner.address() as AddressInfo).port}`

beforeAll(async () => {
  scanner = startScanner()
  await once(scanner.listen(0, '127.0.0.1'), 'listening')
  const scan = openScanner(addressOf())
  shop = await startServed(
    (storage) =>
      uploadRoutes({
        storage: { ...storage, scan },
        secret: 's'.repeat(32),
        config: { maxFileBytes: MAX },
        publicUrl: undefined,
      }),
    { idleMs: 30_000 },
  )
  ada = await shop.addPerson()
})
afterAll(async () => {
  scanner.close()
  await shop.stop()
})

const put = async (body: Buffer<ArrayBuffer>) =>
  fetch(await issue(shop, ada), { method: 'PUT', body, headers: { 'x-file-name': 'a.bin' } })

test('rejects a harmful file wherever the malware is, and stores its bytes for staff only', async () => {
  const bytes = Buffer.concat([randomBytes(300_000), Buffer.from('EVIL'), randomBytes(10)])
  const url = await issue(shop, ada)
  const send = () => fetch(url, { method: 'PUT', body: bytes, headers: { 'x-file-name': 'a.bin' } })
  const answer = await send()
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    message: 'The file holds something harmful (Test.Evil) and was refused.',
  })
  const id = new URL(url).pathname.split('/').at(-1)!
  expect((await shop.files()).map(({ name }) => name)).toEqual([id])
  expect(await listQuarantine(shop.db)).toMatchObject([{ id, malware: 'Test.Evil' }])
  expect((await fetch(`${shop.url}/objects/${id}`, { headers: { cookie: ada.cookie } })).status).toBe(404)
  expect((await send()).status).toBe(403)
  await expect(findUpload(shop.db, shop.storage, { userId: ada.id, id })).rejects.toMatchObject({ status: 409 })

  const age = async (days: number) => {
    await shop.db
      .updateTable('objects')
      .set({ createdAt: sql<Date>`now() - ${days} * interval '1 day'` })
      .execute()
    await sweepUploads(shop.db, shop.storage)
    return (await shop.files()).length
  }
  expect([await age(29), await age(31)]).toEqual([1, 0])
  expect(await listQuarantine(shop.db)).toEqual([])
})

test('stores up to ten harmful files per account and counts them for its daily quota', async () => {
  const bob = await shop.addPerson()
  const bytes = Buffer.from('EVIL'.repeat(1000))
  const before = (await shop.files()).length
  for (let i = 0; i < 11; i++) {
    const answer = await fetch(await issue(shop, bob), { method: 'PUT', body: bytes })
    expect(await answer.json()).toMatchObject({ code: 'infected' })
  }
  const rows = await shop.db.selectFrom('objects').select(['id', 'sizeBytes']).where('userId', '=', bob.id).execute()
  expect(rows.filter(({ sizeBytes }) => sizeBytes === bytes.length)).toHaveLength(10)
  expect((await shop.files()).length).toBe(before + 10)
  const quota = { maxBytesPerDay: 10 * bytes.length }
  await checkDailyQuota(shop.db, quota, bob.id)
  await expect(checkDailyQuota(shop.db, quota, bob.id, { bytesToCome: 1 })).rejects.toMatchObject({ status: 429 })
})

test('returns 503 when the scanner disconnects before the first bytes are read', async () => {
  async function* late() {
    await once(connect(1, '127.0.0.1'), 'close').catch(() => undefined)
    await setImmediate()
    yield Buffer.from('late')
  }
  await expect(openScanner('127.0.0.1:1')(Readable.from(late()))).rejects.toMatchObject({ status: 503 })
})

test('rejects every upload while the scanner does not respond', async () => {
  const before = (await shop.files()).length
  isDown = true
  const answer = await put(randomBytes(3 * 1024 * 1024)).finally(() => (isDown = false))
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect((await shop.files()).length).toBe(before)
  expect((await put(randomBytes(1000))).status).toBe(200)
})

test('shows on the status pages whether the scanner responds', async () => {
  expect(await checkScanner({ clamd: undefined })).toMatchObject({ grade: 'warn' })
  expect(await checkScanner({ clamd: addressOf() })).toMatchObject({ grade: 'ok' })
  isDown = true
  expect(await checkScanner({ clamd: addressOf() }).finally(() => (isDown = false))).toMatchObject({ grade: 'fail' })
  expect(await checkScanner({ clamd: '127.0.0.1:1' })).toMatchObject({ grade: 'fail' })
})

test('aborts a stalled upload and stores nothing', async () => {
  const before = (await shop.files()).length
  const { port, pathname, search } = new URL(await issue(shop, ada))
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 1000\r\n\r\nabc`)
  await once(socket, 'close')
  await expect.poll(async () => (await shop.files()).length).toBe(before)
})
