import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { issue, type Person, type Served, startServed, upload } from '../../test/served.ts'
import { sweepUploads } from './sweep.server.ts'
import { uploadRoutes } from './uploads.server.ts'

const MAX = 256 * 1024
const secret = randomBytes(32).toString('base64url')
const file = randomBytes(1000)

let shop: Served
let ada: Person
let bob: Person

beforeAll(async () => {
  shop = await startServed((storage) =>
    uploadRoutes({ storage, secret, config: { maxFileBytes: MAX }, publicUrl: undefined }),
  )
})
afterAll(() => shop.stop())
beforeEach(async () => {
  ada = await shop.addPerson()
  bob = await shop.addPerson()
})

const put = (url: string, body: Uint8Array<ArrayBuffer> | string = file, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers })
const idOf = (url: string) => /objects\/([0-9a-f-]+)/.exec(url)![1]!
const rowOf = (url: string) =>
  shop.db.selectFrom('objects').selectAll().where('id', '=', idOf(url)).executeTakeFirstOrThrow()
const expired = '<Message>Request has expired</Message>'

/** Starts a PUT of this length without sending bytes. */
function send(url: string, length: number) {
  const { port, pathname, search } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: ${length}\r\n\r\n`)
  return socket
}

async function expectNothingLeft(url: string) {
  expect((await shop.files()).map(({ name }) => name)).not.toContain(idOf(url))
  expect((await shop.files()).filter(({ parentPath }) => parentPath.endsWith('tmp'))).toEqual([])
  expect((await rowOf(url)).status).toBe('issued')
}

test('stores a file under its signed URL with its size, hash and name', async () => {
  const url = await issue(shop, ada)
  expect(url).toMatch(/^http:\/\/localhost:\d+\/objects\/[0-9a-f-]{36}\?expires=\d+&signature=[\w-]{43}$/)
  const answer = await put(url, file, {
    'x-file-name': encodeURIComponent('../Über uns.bin'),
    'content-type': 'text/html',
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(file).digest('hex')}"`)
  expect(answer.headers.get('location')).toBe(url.split('?')[0])
  expect(await rowOf(url)).toMatchObject({
    userId: ada.id,
    status: 'stored',
    sizeBytes: 1000,
    sha256: createHash('sha256').update(file).digest('hex'),
    fileName: 'Über uns.bin',
    contentType: 'text/html',
  })
  const { stream, sizeBytes } = await shop.storage.open(idOf(url))
  expect(sizeBytes).toBe(1000)
  expect(Buffer.concat(await stream.toArray())).toEqual(file)
  const part = await shop.storage.open(idOf(url), { start: 10, end: 19 })
  expect(Buffer.concat(await part.stream.toArray())).toEqual(file.subarray(10, 20))
})

test('issues upload URLs to members only', async () => {
  const answer = await fetch(`${shop.url}/api/objects/upload`, { method: 'POST' })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toEqual({ message: 'Unauthorized' })
})

test('accepts one file per URL', async () => {
  const url = await upload(shop, ada, file)
  const again = await put(url, randomBytes(10))
  expect(again.status).toBe(403)
  expect(await again.text()).toContain(expired)
  expect((await rowOf(url)).sizeBytes).toBe(1000)
})

test('stores one of several files sent to the same URL at once', async () => {
  const url = await issue(shop, ada)
  const bodies = [randomBytes(200_000), randomBytes(200_000), randomBytes(200_000)]
  const answers = await Promise.all(bodies.map((body) => put(url, body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  const kept = bodies[answers.findIndex(({ status }) => status === 200)]!
  expect((await rowOf(url)).sha256).toBe(createHash('sha256').update(kept).digest('hex'))
  const { stream } = await shop.storage.open(idOf(url))
  expect(Buffer.concat(await stream.toArray())).toEqual(kept)
  expect((await shop.files()).filter(({ parentPath }) => parentPath.endsWith('tmp'))).toEqual([])
})

test('rejects an expired URL', async () => {
  const url = await issue(shop, ada)
  await shop.db.updateTable('objects').set({ expiresAt: new Date() }).where('id', '=', idOf(url)).execute()
  const answer = await put(url)
  expect(answer.status).toBe(403)
  expect(answer.headers.get('content-type')).toContain('xml')
  expect(await answer.text()).toContain(expired)
  await expectNothingLeft(url)
})

test.each([
  ['a later expiry', (url: string) => url.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 3600}`)],
  ['another signature', (url: string) => url.replace(/signature=.{5}/, 'signature=AAAAA')],
  ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
  ['no query', (url: string) => url.split('?')[0]!],
  ['a longer signature', (url: string) => `${url}A`],
  ['an unknown id', (url: string) => url.replace(idOf(url), randomUUID())],
  ['no id', (url: string) => url.replace(idOf(url), 'x')],
  ['another folder', (url: string) => url.replace(idOf(url), '..%2F..%2Fetc%2Fpasswd')],
])('rejects a URL with %s', async (_, change) => {
  const url = await issue(shop, ada)
  const answer = await put(change(url))
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('<Code>SignatureDoesNotMatch</Code>')
  await expectNothingLeft(url)
})

test.each(["the caller's", "another account's"])('rejects the signature of one URL for %s other URL', async (whose) => {
  const mine = await issue(shop, ada)
  const other = await issue(shop, whose === "the caller's" ? ada : bob)
  expect((await put(other.replace(/\?.*/, mine.slice(mine.indexOf('?'))))).status).toBe(403)
  await expectNothingLeft(other)
})

test('rejects a URL when another account is signed in', async () => {
  const url = await issue(shop, ada)
  expect((await put(url, file, { cookie: bob.cookie })).status).toBe(403)
  expect((await put(url, file, { cookie: ada.cookie })).status).toBe(200)
})

test.each([
  ['GET', 404],
  ['HEAD', 404],
  ['DELETE', 405],
  ['POST', 405],
])('does not serve another member’s upload to %s', async (method, status) => {
  const url = await upload(shop, ada, file)
  const answer = await fetch(url, { method, headers: { cookie: bob.cookie } })
  expect(answer.status).toBe(status)
  if (status === 405) expect(answer.headers.get('allow')).toBe('PUT, GET')
  expect(await answer.text()).not.toContain(file.toString('latin1'))
})

test('serves an upload to its owner as a download that browsers do not run', async () => {
  const url = await upload(shop, ada, Buffer.from('<script>1</script>'), 'a page.html')
  const { status, headers } = await fetch(url.split('?')[0]!, { headers: { cookie: ada.cookie } })
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain('attachment; filename="a page.html"')
  expect(headers.get('content-type')).toBe('text/plain')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain('sandbox')
})

test('rejects a file over the limit and stores nothing', async () => {
  const url = await issue(shop, ada)
  const announced = await put(url, randomBytes(MAX + 1))
  expect(announced.status).toBe(413)
  expect(await announced.json()).toMatchObject({ code: 'too_large' })
  const chunks = new ReadableStream({
    pull(controller) {
      controller.enqueue(randomBytes(64 * 1024))
      if (++sent === 6) controller.close()
    },
  })
  let sent = 0
  const unannounced = await fetch(url, { method: 'PUT', body: chunks, duplex: 'half' })
  expect(unannounced.status).toBe(413)
  await expectNothingLeft(url)
  expect((await put(url, randomBytes(MAX))).status).toBe(200)
})

test('disconnects a client that never stops sending', async () => {
  const url = await issue(shop, ada)
  const socket = send(url, 1_000_000_000)
  const chunk = Buffer.alloc(64 * 1024)
  let sent = 0
  while (!socket.destroyed && sent < 1024 * chunk.length) {
    sent += chunk.length
    if (!socket.write(chunk)) await once(socket, 'drain').catch(() => socket.destroy())
  }
  expect(socket.destroyed).toBe(true)
  await expectNothingLeft(url)
})

test('counts the maximum for a body without a length during its upload', async () => {
  const url = await issue(shop, ada)
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  async function* chunks() {
    yield file
    await isOver
  }
  const sent = fetch(url, { method: 'PUT', body: ReadableStream.from(chunks()), duplex: 'half' })
  await expect.poll(async () => (await rowOf(url)).announcedBytes).toBe(MAX)
  end()
  expect((await sent).status).toBe(200)
  expect(await rowOf(url)).toMatchObject({ status: 'stored', sizeBytes: file.length })
})

test('rejects an empty file', async () => {
  const url = await issue(shop, ada)
  expect((await put(url, '')).status).toBe(400)
  await expectNothingLeft(url)
  expect((await put(url)).status).toBe(200)
})

test('stores nothing of an interrupted upload and accepts a retry', async () => {
  const url = await issue(shop, ada)
  const socket = send(url, 100_000)
  socket.write(Buffer.alloc(50_000))
  while (!(await shop.files()).some(({ parentPath }) => parentPath.endsWith('tmp'))) await sleep(10)
  socket.destroy()
  while ((await shop.files()).some(({ parentPath }) => parentPath.endsWith('tmp'))) await sleep(10)
  await expectNothingLeft(url)
  expect((await put(url)).status).toBe(200)
})

test('limits an account to three concurrent uploads', async () => {
  const urls = [await issue(shop, ada), await issue(shop, ada), await issue(shop, ada), await issue(shop, ada)]
  const held = urls.slice(0, 3).map((url) => send(url, 100))
  for (const socket of held) socket.write('abc')
  while ((await shop.files()).filter(({ parentPath }) => parentPath.endsWith('tmp')).length < 3) await sleep(10)
  const fourth = await put(urls[3]!)
  expect(fourth.status).toBe(429)
  expect(fourth.headers.get('retry-after')).toBe('5')
  expect((await put(await issue(shop, bob))).status).toBe(200)
  for (const socket of held) socket.destroy()
  while ((await shop.files()).some(({ parentPath }) => parentPath.endsWith('tmp'))) await sleep(10)
  expect((await put(urls[3]!)).status).toBe(200)
})

test('limits an account to one gigabyte a day', async () => {
  const open = await issue(shop, ada)
  const full = await upload(shop, ada, file)
  await shop.db
    .updateTable('objects')
    .set({ sizeBytes: 1024 ** 3 - 500 })
    .where('id', '=', idOf(full))
    .execute()
  expect((await put(open)).status).toBe(429)
  await shop.db
    .updateTable('objects')
    .set({ sizeBytes: 1024 ** 3 + 1 })
    .where('id', '=', idOf(full))
    .execute()
  await expect(issue(shop, ada)).rejects.toThrow('429')
  await shop.db
    .updateTable('objects')
    .set({ storedAt: new Date(Date.now() - 25 * 3600_000) })
    .where('id', '=', idOf(full))
    .execute()
  expect((await put(open)).status).toBe(200)
})

test('rejects a file from a page of another site', async () => {
  const url = await issue(shop, ada)
  expect((await put(url, file, { origin: 'https://evil.example' })).status).toBe(403)
  await expectNothingLeft(url)
})

test('sweeps only uploads that are unused for a day', async () => {
  const [old, fresh, bound] = [
    await upload(shop, ada, file),
    await upload(shop, ada, file),
    await upload(shop, ada, file),
  ]
  const unused = await issue(shop, ada)
  const yesterday = new Date(Date.now() - 25 * 3600_000)
  const aged = { createdAt: yesterday, storedAt: yesterday }
  for (const url of [old, bound, unused])
    await shop.db
      .updateTable('objects')
      .set(url === unused ? { createdAt: yesterday } : aged)
      .where('id', '=', idOf(url))
      .execute()
  await shop.db.updateTable('objects').set({ status: 'bound' }).where('id', '=', idOf(bound)).execute()
  await sweepUploads(shop.db, shop.storage)
  const left = (await shop.db.selectFrom('objects').select('id').where('userId', '=', ada.id).execute()).map(
    ({ id }) => id,
  )
  expect(left.sort()).toEqual([idOf(fresh), idOf(bound)].sort())
  const names = (await shop.files()).map(({ name }) => name)
  expect(names).toContain(idOf(fresh))
  expect(names).toContain(idOf(bound))
  expect(names).not.toContain(idOf(old))
})

test('retains an upload that a row references, even with a wrong status', async () => {
  const url = await upload(shop, ada, file)
  const id = idOf(url)
  await shop.db
    .updateTable('objects')
    .set({ createdAt: new Date(0), storedAt: new Date(0) })
    .where('id', '=', id)
    .execute()
  await shop.db
    .insertInto('products')
    .values({ sellerId: ada.id, categoryId: 'ebooks', title: 'A book', priceCents: 100, imageObjectId: id })
    .execute()
  await sweepUploads(shop.db, shop.storage)
  expect((await shop.files()).map(({ name }) => name)).toContain(id)
  expect((await rowOf(url)).status).toBe('stored')
})
