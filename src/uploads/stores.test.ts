import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setLogLevel } from '../kit/log/log.server.ts'
import { readStart, type SignedRequest, type Storage } from './storage.server.ts'
import { openStore, type Store, STORES } from '../../test/stores.ts'

// Tests that every store fulfils its contract. The S3 store uses a stand-in that checks signatures and hashes.

const MB = 1024 * 1024
const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const base64 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64')
const asBody = (bytes: Buffer) => bytes as Buffer<ArrayBuffer>
const PART = randomBytes(5 * MB)
const END = randomBytes(1000)

describe.each(STORES)('the %s store', (kind) => {
  let store: Store
  let storage: Storage
  beforeAll(async () => {
    setLogLevel('error')
    store = await openStore(kind, 12 * MB)
    storage = store.storage
  })
  afterAll(() => store.stop())

  const read = async (key: string) => buffer((await storage.open(key)).stream)
  const isThere = (key: string) =>
    storage.open(key).then(
      ({ stream }) => (stream.destroy(), true),
      () => false,
    )

  /** Sends a part like a browser: to the signed URL or through the shop. */
  async function sendPart(key: string, uploadId: string, number: number, bytes: Buffer, sha256 = base64(bytes)) {
    if (storage.parts.put)
      return (await storage.parts.put(key, uploadId, number, Readable.from([bytes]), { maxBytes: 5 * MB, sha256 })).etag
    const terms = { seconds: 60, sizeBytes: bytes.length, sha256 }
    const answer = await putSigned(await storage.direct!.signPart(key, uploadId, number, terms), bytes)
    if (!answer.ok) throw new Error(await answer.text())
    return answer.headers.get('etag')!
  }
  const putSigned = ({ url, headers }: SignedRequest, bytes: Buffer) =>
    fetch(url, { method: 'PUT', headers, body: asBody(bytes) })

  test('stores bytes with size and hash and serves ranges', async () => {
    const key = randomUUID()
    const bytes = Buffer.concat([PART, PART, END])
    expect(await storage.put(key, Readable.from([bytes]))).toEqual({ sizeBytes: bytes.length, sha256: hex(bytes) })
    expect((await read(key)).equals(bytes)).toBe(true)
    const part = await storage.open(key, { start: 10, end: 19 })
    expect([part.sizeBytes, await buffer(part.stream)]).toEqual([bytes.length, bytes.subarray(10, 20)])
    const beyond = await storage.open(key, { start: bytes.length, end: bytes.length + 5 })
    expect([beyond.sizeBytes, await buffer(beyond.stream)]).toEqual([bytes.length, Buffer.alloc(0)])
    await storage.put(key, Readable.from([END]))
    expect(await read(key)).toEqual(END)
    expect(Buffer.from(await readStart(storage, key, 900, 30_000))).toEqual(END.subarray(0, 900))
    await expect(readStart(storage, key, 1001, 30_000)).rejects.toMatchObject({ status: 500, code: 'cut_off' })
    await storage.remove(key)
    await storage.remove(key)
    await expect(storage.open(key)).rejects.toMatchObject({ status: 404, code: 'no_bytes' })
  })

  test.each([
    ['an empty stream', () => Readable.from([]), { status: 400, code: 'empty' }],
    ['more bytes than allowed', () => Readable.from([PART, PART, END]), { status: 413 }],
    ['a broken stream', () => broken(), { status: 400, code: 'interrupted' }],
  ])('stores nothing of %s', async (_, stream, failure) => {
    const key = randomUUID()
    await expect(storage.put(key, stream(), { maxBytes: 8 * MB })).rejects.toMatchObject(failure)
    expect(await isThere(key)).toBe(false)
    expect(store.s3?.store.uploads.size ?? 0).toBe(0)
  })

  test('writes a key only once with `isOnce`', async () => {
    const key = randomUUID()
    await storage.put(key, Readable.from([END]), { isOnce: true })
    await expect(storage.put(key, Readable.from([PART]), { isOnce: true })).rejects.toMatchObject({ status: 409 })
    expect(await read(key)).toEqual(END)
  })

  test('joins parts that arrive in any order, lists their hashes and accepts a repeated part', async () => {
    const key = randomUUID()
    const uploadId = await storage.parts.start(key, { contentType: 'text/plain', isChecked: true })
    const last = await sendPart(key, uploadId, 2, END)
    await sendPart(key, uploadId, 1, randomBytes(5 * MB))
    const first = await sendPart(key, uploadId, 1, PART)
    expect(await storage.parts.list(key, uploadId)).toEqual([
      { number: 1, sizeBytes: PART.length, etag: first, sha256: base64(PART) },
      { number: 2, sizeBytes: END.length, etag: last, sha256: base64(END) },
    ])
    const named = [
      { number: 1, etag: first },
      { number: 2, etag: last.replaceAll('"', '') },
    ]
    const whole = Buffer.concat([PART, END])
    const stored = { sizeBytes: whole.length, sha256: hex(whole) }
    expect(await storage.parts.finish(key, uploadId, named)).toEqual(stored)
    expect((await read(key)).equals(whole)).toBe(true)
    // repeated on another node, as after a crash
    expect(await store.open().parts.finish(key, uploadId, named)).toEqual(stored)
    await expect(storage.parts.list(key, uploadId)).rejects.toMatchObject({ status: 404, code: 'NoSuchUpload' })
  })

  test.each([
    ['a part that was not sent', [{ number: 7, etag: '"x"' }], 'InvalidPart'],
    ['another tag', [{ number: 1, etag: '"x"' }], 'InvalidPart'],
    ['a wrong order', 'swapped', 'InvalidPartOrder'],
    ['a small part before the last', 'small', 'EntityTooSmall'],
  ])('rejects a join with %s and leaves nothing after an abort', async (_, given, code) => {
    const key = randomUUID()
    const uploadId = await storage.parts.start(key)
    const [one, two] = [await sendPart(key, uploadId, 1, END), await sendPart(key, uploadId, 2, END)]
    const both = [
      { number: 1, etag: one },
      { number: 2, etag: two },
    ]
    const named = given === 'swapped' ? both.toReversed() : given === 'small' ? both : (given as typeof both)
    await expect(storage.parts.finish(key, uploadId, named)).rejects.toMatchObject({ status: 400, code })
    await storage.parts.abort(key, uploadId)
    await storage.parts.abort(key, uploadId)
    await expect(storage.parts.list(key, uploadId)).rejects.toMatchObject({ code: 'NoSuchUpload' })
    await expect(sendPart(key, uploadId, 3, END)).rejects.toThrow(/upload does not exist/)
    expect(await isThere(key)).toBe(false)
  })

  test('rejects a part with a wrong hash', async () => {
    const key = randomUUID()
    const uploadId = await storage.parts.start(key, { isChecked: true })
    await expect(sendPart(key, uploadId, 1, END, base64(PART))).rejects.toThrow(/SHA256 you specified did not match/)
    expect(await storage.parts.list(key, uploadId)).toEqual([])
  })

  test('sweeps abandoned uploads in parts and retains open ones', async () => {
    const [dead, open] = [await storage.parts.start(randomUUID()), await storage.parts.start(randomUUID())]
    await storage.removeAbandoned(-1000, async (uploadId) => uploadId === open)
    await expect(storage.parts.list('x', dead)).rejects.toMatchObject({ code: 'NoSuchUpload' })
    if (kind === 'disk') expect(await storage.parts.list('x', open)).toEqual([])
    else expect([...store.s3!.store.uploads.keys()]).toEqual([open])
  })

  test('wipes all files and parts, but no foreign keys of a bucket', async () => {
    const key = randomUUID()
    await storage.put(key, Readable.from([END]))
    await storage.parts.start(key)
    const others = kind === 's3' ? await storage.parts.start('backups/of-others.tar') : null
    await storage.removeAbandoned(-1000, async () => true)
    await storage.removeAbandoned(-1000)
    await storage.wipe()
    expect(await isThere(key)).toBe(false)
    if (others) expect([...store.s3!.store.uploads.keys()]).toEqual([others])
  })
})

function broken() {
  const stream = new PassThrough().on('error', () => undefined)
  stream.write(END)
  setImmediate(() => stream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })))
  return stream
}

describe('browser requests to the S3 store', () => {
  let store: Store
  let storage: Storage
  beforeAll(async () => {
    setLogLevel('silent')
    store = await openStore('s3', 2 * MB)
    storage = store.storage
  })
  afterAll(() => store.stop())

  const direct = () => storage.direct!
  const fixed = { seconds: 60, sizeBytes: END.length, sha256: base64(END), contentType: 'application/pdf' }
  const send = ({ url, headers }: SignedRequest, bytes: Buffer, change: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', headers: { ...headers, ...change }, body: asBody(bytes) })

  test('accepts the announced bytes of a signed PUT and moves them out of reach of browsers', async () => {
    const id = randomUUID()
    const signed = await direct().signPut(id, fixed)
    expect(direct().idOf(signed.url)).toBe(id)
    expect((await send(signed, END)).status).toBe(200)
    expect(await direct().accept(id)).toEqual({ sizeBytes: END.length, sha256: hex(END) })
    expect((await send(signed, END)).status).toBe(200)
    expect([...store.s3!.store.objects.keys()]).toEqual([id, `incoming/${id}`].sort())
    expect(store.s3!.store.objects.get(id)!.contentType).toBe('application/pdf')
    await storage.removeAbandoned(-1000)
    expect([...store.s3!.store.objects.keys()]).toEqual([id])
    // repeated on another node, as after a crash
    expect(await direct().accept(id)).toEqual({ sizeBytes: END.length, sha256: hex(END) })
    expect(await direct().accept(randomUUID())).toBe(null)
  })

  test.each([
    ['another length', PART.subarray(0, 999), {}, 403, 'SignatureDoesNotMatch'],
    ['other bytes', PART.subarray(0, 1000), {}, 400, 'BadDigest'],
    ['another type', END, { 'content-type': 'text/html' }, 403, 'SignatureDoesNotMatch'],
    ['another hash', END, { 'x-amz-checksum-sha256': base64(PART) }, 403, 'SignatureDoesNotMatch'],
  ])('rejects a signed PUT with %s', async (_, bytes, change, status, code) => {
    const id = randomUUID()
    const answer = await send(await direct().signPut(id, fixed), bytes, change)
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(`<Code>${code}</Code>`)])
    expect(await direct().accept(id)).toBe(null)
  })

  test('removes bytes above the limit', async () => {
    const id = randomUUID()
    expect((await send(await direct().signPut(id, { seconds: 60 }), PART)).status).toBe(200)
    await expect(direct().accept(id)).rejects.toMatchObject({ status: 413 })
    expect(store.s3!.store.objects.has(`incoming/${id}`)).toBe(false)
  })

  test('serves a signed GET as a download, rejects unsigned requests and reports an expired URL', async () => {
    const key = randomUUID()
    await storage.put(key, Readable.from([END]))
    const answer = { seconds: 60, contentType: 'application/pdf', disposition: 'attachment; filename="a.pdf"' }
    const url = await direct().signGet(key, answer)
    const found = await fetch(url, { headers: { range: 'bytes=0-9' } })
    expect([found.status, Buffer.from(await found.arrayBuffer())]).toEqual([206, END.subarray(0, 10)])
    expect(found.headers.get('content-disposition')).toBe('attachment; filename="a.pdf"')
    expect((await fetch(url.split('?')[0]!)).status).toBe(403)
    expect((await fetch(url.replace('a.pdf', 'b.html'))).status).toBe(403)
    const late = await direct().signGet(key, { ...answer, seconds: 1 })
    await expect.poll(async () => (await fetch(late)).text(), { timeout: 5000 }).toContain('Request has expired')
  })

  test('stores a single write once although the reply is lost', async () => {
    for (const [method, bytes] of [
      ['PUT', END],
      ['POST', Buffer.alloc(6 * 1024 * 1024, 'primo')],
    ] as const) {
      const key = randomUUID()
      const isLast = method === 'PUT' ? /./ : /uploadId=/
      store.s3!.faults.push({ method, path: isLast, status: 'answer lost', times: 1 })
      expect(await storage.put(key, Readable.from([bytes]), { isOnce: true })).toMatchObject({
        sizeBytes: bytes.length,
      })
      expect((await buffer((await storage.open(key)).stream)).equals(bytes)).toBe(true)
    }
  })

  test('retries failed requests and reports when the store is down or full', async () => {
    const key = randomUUID()
    store.s3!.faults.push({ method: 'PUT', path: /./, status: 500, times: 1 })
    store.s3!.faults.push({ method: 'PUT', path: /./, status: 0, times: 1 })
    expect(await storage.put(key, Readable.from([END]))).toMatchObject({ sizeBytes: END.length })
    const refuse = (status: number, times: number) => store.s3!.faults.push({ method: 'PUT', path: /./, status, times })
    refuse(507, 1)
    await expect(storage.put(key, Readable.from([END]))).rejects.toMatchObject({ status: 507, code: 'no_room' })
    refuse(503, 4)
    await expect(storage.put(key, Readable.from([END]))).rejects.toMatchObject({ status: 503, retryAfter: 10 })
  })
})
