import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import PDFKit from 'pdfkit'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { setProductFiles } from '../../catalogue/catalogue.contract.ts'
import { refundOrder } from '../../aftersale/refunds/refund.server.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { setStamp } from '../../selling/selling.contract.ts'
import { readEntry, readZip } from '../../uploads/checks/zip.server.ts'
import { upload } from '../../../test/served.ts'
import { grantDownload } from '../files/files.contract.ts'
import { listOwnedFiles } from '../library/library.contract.ts'
import { openStamps } from './stamps.server.ts'

const open = openShopForTests()

/** Creates a PDF without compression, so that tests can search its bytes. */
function makePdf(pages: number, options: object = {}): Promise<Buffer> {
  const pdf = new PDFKit({ compress: false, ...options })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (let page = 1; page < pages; page++) pdf.addPage()
  pdf.end()
  return new Promise((resolve) => pdf.on('end', () => resolve(Buffer.concat(chunks))))
}

/** Returns the stamp of each page. */
async function stampsOf(bytes: Buffer): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  return pdf.getPages().map((page) => {
    const contents = page.node.Contents()
    const streams = contents instanceof PDFArray ? contents.asArray().map((one) => pdf.context.lookup(one)) : [contents]
    const texts = streams.flatMap((stream) => {
      if (!(stream instanceof PDFRawStream)) return []
      const text = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
      return [...text.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1'))
    })
    return texts.filter((text) => text.startsWith('Copy of ')).join()
  })
}

async function list(seller: Person, files: Record<string, Buffer>) {
  const product = await addProduct(open.shop)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(
    open.shop.database.db,
  )
  for (const [name, bytes] of Object.entries(files))
    await seller.call(setProductFiles, {
      ...{ id: product.id, isAnother: name !== Object.keys(files)[0] },
      digitalFileURL: await upload(open.shop, seller, bytes, name),
    })
  return product
}

async function urlOf(person: Person, { id, lines }: Order, asked: object = {}) {
  const { url } = await person.call(grantDownload, { id, lineId: lines[0]!.id, ...asked })
  return open.shop.url + url
}
const get = (person: Person, url: string, headers: object = {}) =>
  fetch(url, { headers: { cookie: person.cookie, ...headers } })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const copies = async () => (await readdir(join(open.shop.dataDir, 'stamped')).catch(() => [])).length

test('sends each buyer a PDF with their mail address on each page, also in ranges and in a ZIP', async () => {
  const [ada, bob, eve] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const product = await list(ada, { 'book.pdf': await makePdf(3), 'notes.txt': Buffer.from('Plain.') })
  const [first, second] = [await buy(open.shop, bob, product), await buy(open.shop, eve, product)]
  const plain = await bytesOf(await get(bob, await urlOf(bob, first)))
  expect(await stampsOf(plain)).toEqual(['', '', ''])

  expect(await ada.call(setStamp, { id: product.id, isOn: true })).toMatchObject({ stampsPdf: true })
  const before = await copies()
  const url = await urlOf(bob, first)
  // two concurrent requests before the copy exists
  const [whole, again] = await Promise.all([get(bob, url), get(bob, url)])
  const copy = await bytesOf(whole)
  expect(await bytesOf(again)).toEqual(copy)
  expect(await copies()).toBe(before + 1)
  const says = (person: Person) => Array.from({ length: 3 }, () => `Copy of ${person.email}`)
  expect(await stampsOf(copy)).toEqual(says(bob))
  const etag = whole.headers.get('etag')!
  const rest = await get(bob, url, { range: 'bytes=500-', 'if-range': etag })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 500-${copy.length - 1}/${copy.length}`])
  expect(await bytesOf(rest)).toEqual(copy.subarray(500))
  const other = await get(eve, await urlOf(eve, second))
  expect(other.headers.get('etag')).not.toBe(etag)
  expect(await stampsOf(await bytesOf(other))).toEqual(says(eve))

  const zip = await bytesOf(await get(bob, await urlOf(bob, first, { isAll: true })))
  const read = async (start: number, length: number) => zip.subarray(start, start + length)
  const entries = (await readZip(read, zip.length))!
  expect(entries.map(({ name }) => name)).toEqual(['book.pdf', 'notes.txt'])
  expect(await readEntry(read, entries[0]!, 1_000_000)).toEqual(copy)
  const owned = await bob.call(listOwnedFiles, { id: first.lines[0]!.id })
  expect(owned.map(({ isStamped }) => isStamped)).toEqual([true, false])

  // a copy that a node lost is created again with the same bytes
  await rm(join(open.shop.dataDir, 'stamped'), { recursive: true })
  expect(await bytesOf(await get(bob, url))).toEqual(copy)
  // a refund revokes the link
  await refundOrder(open.shop.checkout, first.id, 'asked for')
  expect((await get(bob, url)).status).toBe(403)
})

test('rejects a PDF that cannot be stamped, when stamping is enabled and when a file is replaced', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const locked = await makePdf(1, { ownerPassword: 'owner', userPassword: 'user' })
  const product = await list(ada, { 'open.pdf': await makePdf(1) })
  const replace = async (bytes: Buffer, name: string) =>
    ada.call(setProductFiles, { id: product.id, digitalFileURL: await upload(open.shop, ada, bytes, name) })
  await ada.call(setStamp, { id: product.id, isOn: true })
  const refusal = {
    ...{ status: 409, code: 'unstampable' },
    details: expect.objectContaining({
      message: '“locked.pdf” is protected or damaged, so its pages cannot carry an address.',
    }) as unknown,
  }
  await expect(replace(locked, 'locked.pdf')).rejects.toMatchObject(refusal)
  const order = await buy(open.shop, bob, product)
  expect(await stampsOf(await bytesOf(await get(bob, await urlOf(bob, order))))).toEqual([`Copy of ${bob.email}`])

  await ada.call(setStamp, { id: product.id, isOn: false })
  await replace(locked, 'locked.pdf')
  await expect(ada.call(setStamp, { id: product.id, isOn: true })).rejects.toMatchObject(refusal)
  await expect(bob.call(setStamp, { id: product.id, isOn: true })).rejects.toMatchObject({ status: 404 })
})

const pdfOf = (key: string) => ({ key, sha256: key, fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 9 })
const GONE = new Error('the file is gone')

test('reserves capacity for buyers while sellers try slow PDFs', async () => {
  const slow = Promise.withResolvers<never>()
  slow.promise.catch(() => 'no PDF may wait for it yet')
  const storage = { open: (key: string) => (key === 'slow' ? slow.promise : Promise.reject(new Error(`open ${key}`))) }
  const stamps = openStamps({ folder: join(tmpdir(), `stamps-${randomUUID()}`), storage })
  const tries = Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => stamps.canStamp(pdfOf('slow'), `seller ${at}`)),
  )
  const bought = stamps.of(pdfOf('bought'), 'ada@example.com')
  const reached = expect(bought).rejects.toThrow('open bought')
  slow.reject(new Error('gone'))
  await reached
  const refused = (await tries).filter(
    ({ status, reason }: { status: string; reason?: Error }) => status === 'rejected' && reason?.message !== 'gone',
  )
  expect(refused).toHaveLength(17)
  await stamps.close()
})

test('delays the next buyer only for a while when a store does not respond', async () => {
  const storage = {
    open: (key: string) => (key === 'silent' ? new Promise<never>(() => undefined) : Promise.reject(GONE)),
  }
  const stamps = openStamps({ folder: join(tmpdir(), `stamps-${randomUUID()}`), storage, readMs: 50 })
  const silent = expect(stamps.of(pdfOf('silent'), 'ada@example.com')).rejects.toMatchObject({ status: 503 })
  await expect(stamps.of(pdfOf('next'), 'ada@example.com')).rejects.toThrow(GONE)
  await silent
  await stamps.close()
})

test('times out a trial stamp of a slow PDF, caches it as refused, and delays no buyer', async () => {
  const folder = join(tmpdir(), `stamps-${randomUUID()}`)
  const plain = await makePdf(2)
  const storage = { open: async () => ({ stream: Readable.from([plain]), sizeBytes: plain.length }) }
  const stamps = openStamps({ folder, storage, tryMs: 0 })
  expect(await stamps.canStamp(pdfOf('slow'), 'ada')).toBe(false)
  expect(await stamps.canStamp(pdfOf('slow'), 'ada')).toBe(false)
  const copy = await stamps.of(pdfOf('bought'), 'bob@example.com')
  expect(await stampsOf(await buffer((await copy.from.open('')).stream))).toHaveLength(2)
  await stamps.close()
  await rm(folder, { recursive: true })
})

test('returns 503 to a buyer whose copy takes long, and the finished copy on the next request', async () => {
  const folder = join(tmpdir(), `stamps-${randomUUID()}`)
  const plain = await makePdf(1)
  const read = Promise.withResolvers<void>()
  const storage = {
    open: async () => {
      await read.promise
      return { stream: Readable.from([plain]), sizeBytes: plain.length }
    },
  }
  const stamps = openStamps({ folder, storage, waitMs: 20 })
  const ask = () => stamps.of(pdfOf('long'), 'ada@example.com')
  await expect(ask()).rejects.toMatchObject({ status: 503, retryAfter: 10 })
  read.resolve()
  await expect
    .poll(() =>
      ask().then(
        ({ file }) => file.key,
        () => 'late',
      ),
    )
    .not.toMatch(/late|long/)
  await stamps.close()
  await rm(folder, { recursive: true })
})
