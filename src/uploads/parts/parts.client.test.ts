import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createUppy, type ShopUploader } from '../ShopUppy.client.ts'
import { type Person, type Served, startServed } from '../../../test/served.ts'
import { uploadRoutes } from '../uploads.server.ts'

// Tests the uploader's code for parts against a real server. Only fetch replaces the sending of bytes.

const MB = 1024 * 1024
const PARTS = 21
const bytes = Buffer.concat(Array.from({ length: PARTS }, (_, i) => Buffer.alloc(5 * MB, i + 1)))

let shop: Served
let ada: Person
beforeAll(async () => {
  const config = { maxFileBytes: 200 * MB, maxBytesPerDay: 1024 * MB }
  shop = await startServed((storage) => uploadRoutes({ storage, secret: 's'.repeat(32), config, publicUrl: undefined }))
  ada = await shop.addPerson()
})
afterAll(() => shop.stop())
afterEach(() => void vi.unstubAllGlobals())

type Sent = { numbers: number[]; underWay: number; failAfter: number; calls: string[] }

/** Opens an uploader on a member's device. After `failAfter` parts the server refuses bytes, like in an outage. */
function openUploader(sent: Sent): ShopUploader {
  const real = fetch
  vi.stubGlobal('window', { navigator: { onLine: true } })
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    const url = new URL(input, shop.url)
    sent.calls.push(`${init.method ?? 'GET'} ${url.pathname}`)
    return real(url, { ...init, headers: { ...(init.headers as object), cookie: ada.cookie } })
  })
  const uppy = createUppy('file')
  uppy.setOptions({ restrictions: { maxFileSize: null } })
  let taken = 0
  uppy.getPlugin('AwsS3Multipart')!.setOptions({
    retryDelays: [],
    uploadPartBytes: async ({ signature: { url }, body }: { signature: { url: string }; body: Blob | FormData }) => {
      expect(++sent.underWay).toBeLessThanOrEqual(6)
      try {
        if (++taken > sent.failAfter) throw Object.assign(new Error('gone'), { source: { status: 400 } })
        const answer = await real(url, { method: 'PUT', body })
        if (!answer.ok) throw new Error(await answer.text())
        sent.numbers.push(Number(/parts\/(\d+)/.exec(url)![1]))
        return { ETag: answer.headers.get('etag')! }
      } finally {
        sent.underWay--
      }
    },
  })
  return uppy
}

const add = (uppy: ShopUploader, content = bytes) =>
  uppy.addFile({
    name: 'course.bin',
    type: 'application/zip',
    data: new File([content as Buffer<ArrayBuffer>], 'course.bin'),
  })

test('resumes an upload on another device and sends changed parts again', async () => {
  const first: Sent = { numbers: [], underWay: 0, failAfter: 8, calls: [] }
  const one = openUploader(first)
  add(one)
  const failed = await one.upload()
  expect(failed!.failed).toHaveLength(1)
  await expect.poll(() => first.underWay, { timeout: 20_000 }).toBe(0)
  expect(first.numbers.length).toBeGreaterThan(2)
  // an error does not cancel the upload, so its parts stay for the next try
  one.leave()
  expect(first.calls.filter((call) => call.startsWith('DELETE'))).toEqual([])
  const { uploadId, objectId } = await shop.db.selectFrom('partUploads').selectAll().executeTakeFirstOrThrow()
  expect(await shop.storage.parts.list(objectId, uploadId)).toHaveLength(first.numbers.length)

  // the same samples, but different bytes in a sent part
  const changed = first.numbers.find((number) => number > 1 && number !== 11 && number < PARTS)!
  const edited = Buffer.from(bytes)
  edited[(changed - 1) * 5 * MB + 2 * MB] = 99
  const second: Sent = { numbers: [], underWay: 0, failAfter: Infinity, calls: [] }
  const two = openUploader(second)
  add(two, edited)
  const done = await two.upload()
  expect(done!.successful?.[0]?.uploadURL).toBe(`${shop.url}/objects/${objectId}`)
  const again = first.numbers.filter((number) => second.numbers.includes(number))
  expect([again, second.numbers.length]).toEqual([[changed], PARTS - first.numbers.length + 1])
  expect((await buffer((await shop.storage.open(objectId)).stream)).equals(edited)).toBe(true)
  two.leave()
}, 60_000)

test('finishes an upload after a lost reply without sending bytes again', async () => {
  const content = Buffer.concat([bytes, Buffer.from('?')])
  const first: Sent = { numbers: [], underWay: 0, failAfter: Infinity, calls: [] }
  const one = openUploader(first)
  const stub = fetch
  const left = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const answer = await stub(input, init)
    if (!input.includes('/complete')) return answer
    left.resolve()
    return new Promise(() => undefined)
  })
  const id = add(one, content)
  void one.upload()
  await left.promise
  // the browser stores this across the reload
  const { s3Multipart } = one.getFile(id) as unknown as { s3Multipart: object }

  vi.stubGlobal('fetch', stub)
  const second: Sent = { numbers: [], underWay: 0, failAfter: Infinity, calls: [] }
  const two = openUploader(second)
  const again = add(two, content)
  two.setFileState(again, { s3Multipart } as object)
  const done = await two.upload()
  expect(done!.successful).toHaveLength(1)
  expect(second.numbers).toEqual([])
  one.leave()
  two.leave()
}, 60_000)

test('removes the parts after a cancel', async () => {
  const sent: Sent = { numbers: [], underWay: 0, failAfter: Infinity, calls: [] }
  const uppy = openUploader(sent)
  const id = add(uppy, Buffer.concat([bytes, Buffer.from('!')]))
  const ending = uppy.upload()
  await expect.poll(() => sent.numbers.length, { timeout: 20_000 }).toBeGreaterThan(0)
  uppy.removeFile(id)
  await ending
  await expect.poll(() => sent.calls.some((call) => call.startsWith('DELETE')), { timeout: 10_000 }).toBe(true)
  await expect
    .poll(() => shop.db.selectFrom('objects').select('id').where('status', '=', 'issued').execute(), {
      timeout: 10_000,
    })
    .toEqual([])
}, 60_000)
