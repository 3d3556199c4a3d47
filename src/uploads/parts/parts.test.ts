import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CallOptions, send } from '../../kit/call.ts'
import { findUpload } from '../binding.server.ts'
import { type Person, type Served, startServed } from '../../../test/served.ts'
import { openStore, type Store, STORES } from '../../../test/stores.ts'
import { sweepUploads } from '../sweep.server.ts'
import { uploadRoutes } from '../uploads.server.ts'
import { findUnfinished, listParts, signPart, startParts } from './parts.contract.ts'

const MB = 1024 * 1024
const MAX = 12 * MB
const base64 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64')
const FILE = randomBytes(11 * MB)
const PARTS = [FILE.subarray(0, 5 * MB), FILE.subarray(5 * MB, 10 * MB), FILE.subarray(10 * MB)]

describe.each(STORES)('uploads in parts on the %s store', (kind) => {
  let store: Store
  let shop: Served
  let ada: Person
  let bob: Person
  beforeAll(async () => {
    store = await openStore(kind, MAX)
    shop = await startServed(
      (storage) =>
        uploadRoutes({
          storage,
          secret: 's'.repeat(32),
          config: { maxFileBytes: MAX, maxBytesPerDay: 40 * MB },
          publicUrl: undefined,
        }),
      { open: () => store.storage },
    )
  })
  afterAll(async () => {
    await shop.stop()
    await store.stop()
  })
  beforeEach(async () => {
    ada = await shop.addPerson()
    bob = await shop.addPerson()
  })

  const as = ({ cookie }: Person, base = shop.url): CallOptions => ({ base, headers: { cookie } })
  type Announced = { filename?: string; size?: number; fingerprint?: string; kind?: string }
  const start = (person: Person, { filename = 'a.bin', size = FILE.length, ...metadata }: Announced = {}) =>
    send(
      startParts,
      { filename, type: 'application/zip', metadata: { size: String(size), checksum: 'sha256', ...metadata } },
      as(person),
    )
  type Started = Awaited<ReturnType<typeof start>>

  async function sendPart(person: Person, upload: Started, number: number, bytes: Buffer, base = shop.url) {
    const signed = await send(
      signPart,
      { ...upload, partNumber: String(number), sha256: base64(bytes) },
      as(person, base),
    )
    const body = bytes as Buffer<ArrayBuffer>
    const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body })
    if (!answer.ok) throw new Error(await answer.text())
    return { PartNumber: number, ETag: answer.headers.get('etag')! }
  }

  const change = (
    method: 'POST' | 'DELETE',
    person: Person,
    { key, uploadId }: Started,
    body?: unknown,
    base = shop.url,
  ) =>
    fetch(`${base}/companion/s3/multipart/${uploadId}${method === 'POST' ? '/complete' : ''}?key=${key}`, {
      method,
      headers: { cookie: person.cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const complete = (person: Person, upload: Started, parts: unknown, base = shop.url) =>
    change('POST', person, upload, { parts }, base)

  async function leftOf({ key, uploadId }: Started) {
    const rows = await shop.db.selectFrom('objects').select('status').where('id', '=', key).execute()
    const parts = await store.storage.parts.list(key, uploadId).then(
      (list) => list.length,
      () => 0,
    )
    const bytes = await store.storage.open(key).then(
      ({ stream }) => (stream.destroy(), 1),
      () => 0,
    )
    return { rows: rows.length, parts, bytes }
  }
  const NOTHING = { rows: 0, parts: 0, bytes: 0 }

  test('resumes on another node and device and stores exactly the sent file', async () => {
    const fingerprint = randomBytes(32).toString('hex')
    const upload = await start(ada, { fingerprint })
    const sent = [await sendPart(ada, upload, 2, PARTS[1]!)]
    const found = await send(findUnfinished, { fingerprint, sizeBytes: FILE.length }, as(ada, shop.otherUrl))
    expect(found).toEqual({ upload: { ...upload, isStored: false } })
    expect(await send(findUnfinished, { fingerprint, sizeBytes: 1 }, as(ada))).toEqual({ upload: null })
    expect(await send(findUnfinished, { fingerprint, sizeBytes: FILE.length }, as(bob))).toEqual({ upload: null })
    const listed = await send(listParts, upload, as(ada, shop.otherUrl))
    expect(listed).toEqual([{ ...sent[0], Size: 5 * MB, ChecksumSHA256: base64(PARTS[1]!) }])
    for (const number of [1, 3]) sent.push(await sendPart(ada, upload, number, PARTS[number - 1]!, shop.otherUrl))
    const ordered = sent.toSorted((a, b) => a.PartNumber - b.PartNumber)
    const answer = await complete(ada, upload, ordered, shop.otherUrl)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { location: string }).location).toMatch(new RegExp(`/objects/${upload.key}$`))
    const bound = await findUpload(shop.db, store.storage, { userId: ada.id, id: upload.key })
    expect(bound).toMatchObject({ sizeBytes: FILE.length, fileName: 'a.bin' })
    expect(bound.sha256).toBe(createHash('sha256').update(FILE).digest('hex'))
    expect((await buffer((await store.storage.open(upload.key)).stream)).equals(FILE)).toBe(true)

    // complete is idempotent; other calls fail afterwards
    expect((await complete(ada, upload, ordered)).status).toBe(200)
    const file = { fingerprint, sizeBytes: FILE.length }
    expect(await send(findUnfinished, file, as(ada))).toEqual({ upload: null })
    const own = await send(findUnfinished, { ...file, key: upload.key }, as(ada))
    expect(own).toEqual({ upload: { ...upload, isStored: true } })
    expect(await send(findUnfinished, { ...file, key: upload.key }, as(bob))).toEqual({ upload: null })
    await expect(send(listParts, upload, as(ada))).rejects.toThrow(/^404: .*aborted or completed.*NoSuchUpload/)
    await expect(sendPart(ada, upload, 1, PARTS[0]!)).rejects.toThrow(/^404/)
    expect((await change('DELETE', ada, upload)).status).toBe(404)
    // the age of an upload counts from its end, here after two days
    const long = { createdAt: new Date(Date.now() - 50 * 3600_000) }
    await shop.db.updateTable('objects').set(long).where('id', '=', upload.key).execute()
    await sweepUploads(shop.db, store.storage)
    expect((await leftOf(upload)).bytes).toBe(1)
  })

  test('leaves no bytes after a cancel that follows the join', async () => {
    const upload = await start(ada)
    const sent = await Promise.all(PARTS.map((bytes, i) => sendPart(ada, upload, i + 1, bytes)))
    const named = sent.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }))
    await store.storage.parts.finish(upload.key, upload.uploadId, named)
    expect((await change('DELETE', ada, upload)).status).toBe(200)
    expect(await leftOf(upload)).toEqual(NOTHING)
  })

  test('finishes an upload whose node was killed after joining the parts', async () => {
    const upload = await start(ada)
    const sent = await Promise.all(PARTS.map((bytes, i) => sendPart(ada, upload, i + 1, bytes)))
    const named = sent.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }))
    await store.storage.parts.finish(upload.key, upload.uploadId, named)
    const listed = await send(listParts, upload, as(ada))
    expect(listed.map(({ Size }) => Size)).toEqual(PARTS.map(({ length }) => length))
    expect((await complete(ada, upload, listed)).status).toBe(200)
    expect((await buffer((await store.storage.open(upload.key)).stream)).equals(FILE)).toBe(true)
  })

  test('returns 404 for another member’s upload and 401 without a session', async () => {
    const upload = await start(ada)
    const part = await sendPart(ada, upload, 1, PARTS[0]!)
    await expect(send(listParts, upload, as(bob))).rejects.toThrow(/^404/)
    await expect(sendPart(bob, upload, 1, PARTS[0]!)).rejects.toThrow(/^404/)
    expect((await complete(bob, upload, [part])).status).toBe(404)
    expect((await change('DELETE', bob, upload)).status).toBe(404)
    const other = await start(ada)
    await expect(send(listParts, { ...upload, key: other.key }, as(ada))).rejects.toThrow(/^404/)
    await expect(send(listParts, { ...upload, key: '../x' }, as(ada))).rejects.toThrow(/^404/)
    await expect(send(listParts, upload, { base: shop.url })).rejects.toThrow(/^401/)
    expect(await leftOf(upload)).toEqual({ rows: 1, parts: 1, bytes: 0 })
  })

  test.each(['0', '10001', '-1', '1.5', 'x'])('rejects the part number %s', async (partNumber) => {
    await expect(send(signPart, { ...(await start(ada)), partNumber }, as(ada))).rejects.toThrow(
      /^400: .*Part number must be an integer between 1 and 10000, inclusive/,
    )
  })

  test('rejects a part beyond the end, with another length or hash, or from another site', async () => {
    const upload = await start(ada)
    await expect(send(signPart, { ...upload, partNumber: '4' }, as(ada))).rejects.toThrow(/^400: .*exceeds the maximum/)
    await expect(sendPart(ada, upload, 3, PARTS[0]!)).rejects.toThrow(/too_large|SignatureDoesNotMatch/)
    const signed = await send(signPart, { ...upload, partNumber: '3', sha256: base64(PARTS[0]!) }, as(ada))
    const body = PARTS[2] as Buffer<ArrayBuffer>
    const wrong = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body })
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('SHA256 you specified did not match'),
    ])
    for (const altered of [
      signed.url.replace('/parts/3', '/parts/2').replace('partNumber=3', 'partNumber=2'),
      `${signed.url}A`,
    ]) {
      const answer = await fetch(altered, { method: 'PUT', headers: signed.headers, body })
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')])
    }
    const headers = { cookie: ada.cookie, 'sec-fetch-site': 'cross-site' }
    await expect(send(signPart, { ...upload, partNumber: '1' }, { base: shop.url, headers })).rejects.toThrow(/^403/)
    expect(await leftOf(upload)).toEqual({ rows: 1, parts: 0, bytes: 0 })
  })

  test('reports an expired signed URL with the message that the uploader expects', async () => {
    const upload = await start(ada)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3600_000 })
    const signed = await send(signPart, { ...upload, partNumber: '3' }, as(ada)).finally(() => vi.useRealTimers())
    const answer = await fetch(signed.url, { method: 'PUT', body: PARTS[2] as Buffer<ArrayBuffer> })
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('<Message>Request has expired</Message>'),
    ])
  })

  test.each([
    ['a missing ETag', [{ PartNumber: 1 }], /`parts` must be an array/],
    ['no parts', [], /`parts` must be an array/],
    ['an unknown part', [{ PartNumber: 2, ETag: '"x"' }], /could not be found/],
    ['a hole', 'hole', /5242880 of 5243880 bytes/],
  ])('rejects completion with %s and accepts the correct list afterwards', async (_, parts, message) => {
    const upload = await start(ada, { size: 5 * MB + 1000 })
    const part = await sendPart(ada, upload, 1, PARTS[0]!)
    const answer = await complete(ada, upload, parts === 'hole' ? [part] : parts)
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(message),
    ])
    const last = await sendPart(ada, upload, 2, PARTS[2]!.subarray(0, 1000))
    expect((await complete(ada, upload, [part, last])).status).toBe(200)
  })

  test.each([
    ['a program that claims to be a PDF', 'a.pdf', 'MZ not a pdf', 415],
    ['an announced image that is none', 'a.png', '<svg/>', 415],
  ])('stores nothing of %s', async (_, filename, text, status) => {
    const bytes = Buffer.from(text)
    const upload = await start(ada, { filename, size: bytes.length, ...(filename === 'a.png' && { kind: 'image' }) })
    const answer = await complete(ada, upload, [await sendPart(ada, upload, 1, bytes)])
    expect(answer.status).toBe(status)
    expect(await leftOf(upload)).toEqual({ rows: 1, parts: 0, bytes: 0 })
    // a retry after a lost reply gets the same error, also from another node
    const { message } = (await answer.json()) as { message: string }
    const again = await complete(ada, upload, [{ PartNumber: 1, ETag: '"x"' }], shop.otherUrl)
    expect([again.status, ((await again.json()) as { message: string }).message]).toEqual([status, message])
  })

  test('counts announced bytes for the daily quota and limits size and number of open uploads', async () => {
    await expect(start(ada, { size: MAX + 1 })).rejects.toThrow(/^413/)
    // a bucket accepts any signed length, so the size of each part must be known
    if (kind === 's3') await expect(start(ada, { size: 0 })).rejects.toThrow(/^400: .*Announce the size/)
    for (let i = 0; i < 3; i++) await start(ada)
    await expect(start(ada)).rejects.toThrow(/^429: .*You can upload 40 MB within a day/)
    const open: Started[] = []
    for (let i = 0; i < 10; i++) open.push(await start(bob, { size: 1000 }))
    await expect(start(bob, { size: 1000 })).rejects.toThrow(/^429: .*At most 10 uploads at once/)
    // an idle upload is replaced
    const idle = new Date(Date.now() + 23 * 3600_000)
    await shop.db.updateTable('objects').set({ expiresAt: idle }).where('id', '=', open[4]!.key).execute()
    await start(bob, { size: 1000 })
    expect(await leftOf(open[4]!)).toEqual(NOTHING)
  })

  test('sweeps a hundred canceled or dead uploads completely and retains an active one', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => shop.addPerson()))
    const all: Started[] = []
    for (const person of people)
      for (let i = 0; i < 10; i++) {
        const upload = await start(person, { size: 1000 })
        await sendPart(person, upload, 1, randomBytes(1000))
        if (i % 2 === 0) expect((await change('DELETE', person, upload)).status).toBe(200)
        all.push(upload)
      }
    const long = { createdAt: new Date(Date.now() - 50 * 3600_000) }
    const active = all[1]!
    const keys = all.map(({ key }) => key)
    await shop.db.updateTable('objects').set(long).where('id', 'in', keys).execute()
    const dead = { expiresAt: new Date(Date.now() - 1000) }
    await shop.db.updateTable('objects').set(dead).where('id', 'in', keys).where('id', '<>', active.key).execute()
    await sweepUploads(shop.db, store.storage)
    for (const upload of all)
      expect(await leftOf(upload)).toEqual(upload === active ? { rows: 1, parts: 1, bytes: 0 } : NOTHING)
  })

  test('limits parallel uploads by announced bytes and never accepts refused bytes later', async () => {
    const issue = (bytes: number, kind = 'file') =>
      fetch(`${shop.url}/api/objects/upload`, {
        method: 'POST',
        headers: { cookie: ada.cookie, 'x-file-size': String(bytes), 'x-upload-kind': kind },
      })
    const answers = await Promise.all(Array.from({ length: 6 }, () => issue(12 * MB)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
    if (!store.storage.direct) return
    const plain = await fetch(`${shop.url}/api/objects/upload`, { method: 'POST', headers: { cookie: bob.cookie } })
    expect(plain.status).toBe(400)
    const { id } = (await answers.find(({ ok }) => ok)!.json()) as { id: string }
    const signed = await store.storage.direct.signPut(id, { seconds: 60 })
    const finish = () =>
      fetch(`${shop.url}/api/objects/${id}/finish`, { method: 'POST', headers: { cookie: ada.cookie } })
    // as a file, the same bytes would be valid
    for (const kind of ['image', 'file'] as const) {
      await shop.db.updateTable('objects').set({ kind }).where('id', '=', id).execute()
      await fetch(signed.url, { method: 'PUT', body: 'no image' })
      expect((await finish()).status).toBe(415)
    }
  })

  test('rejects temporary credentials with a reason and signs a single PUT in Companion’s format', async () => {
    const sts = await fetch(`${shop.url}/companion/s3/sts`, { headers: { cookie: ada.cookie } })
    expect([sts.status, ((await sts.json()) as { message: string }).message]).toEqual([
      409,
      expect.stringContaining('are not configured'),
    ])
    const query = new URLSearchParams({
      filename: 'b.txt',
      type: 'text/plain',
      'metadata[kind]': 'file',
      'metadata[size]': '5',
    })
    const answer = await fetch(`${shop.url}/companion/s3/params?${query}`, { headers: { cookie: ada.cookie } })
    const { url, method, headers } = (await answer.json()) as {
      url: string
      method: string
      headers: Record<string, string>
    }
    expect((await fetch(url, { method, headers, body: 'hello' })).status).toBe(200)
    const row = await shop.db
      .selectFrom('objects')
      .select(['id'])
      .where('userId', '=', ada.id)
      .executeTakeFirstOrThrow()
    // nobody notified the shop about the bytes, so binding the upload accepts them
    expect(await findUpload(shop.db, store.storage, { userId: ada.id, id: row.id })).toMatchObject({
      sizeBytes: 5,
      contentType: 'text/plain',
    })
    const own = await fetch(`${shop.url}/objects/${row.id}`, { headers: { cookie: ada.cookie } })
    expect([own.status, await own.text()]).toEqual([200, 'hello'])
    expect(own.headers.get('content-disposition')).toContain('attachment; filename="b.txt"')
    for (const { cookie } of [bob, { cookie: '' }])
      expect([401, 404]).toContain((await fetch(`${shop.url}/objects/${row.id}`, { headers: { cookie } })).status)
    expect((await fetch(`${shop.url}/objects/${randomUUID()}`, { headers: { cookie: ada.cookie } })).status).toBe(404)
  })
})
