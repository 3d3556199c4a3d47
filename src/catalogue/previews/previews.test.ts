import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { changeKind, getOwnProduct, removeProduct } from '../../selling/selling.contract.ts'
import { upload } from '../../../test/served.ts'
import { arrangeFiles, createProduct, getProduct, listProducts, setProductFiles } from '../catalogue.contract.ts'
import { addPart, getOutline, getPart, savePart } from '../../delivery/courses/outline.contract.ts'
import { addPreview, arrangePreviews, cutSample, getPreviews, measureSample } from './previews.contract.ts'

const open = openShopForTests()
const refused = (status: number) => ({ status })

async function list() {
  const [seller, { id }] = [await open.shop.join(), await addProduct(open.shop)]
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  return { seller, id }
}
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .png()
    .toBuffer()
const add = async (seller: Person, id: string, bytes: Uint8Array, name: string, alt = name) =>
  seller.call(addPreview, { id, alt, uploadURL: await upload(open.shop, seller, bytes, name) })
const get = (path: string, headers = {}) => fetch(open.shop.url + path, { headers })

test('shows images and samples of a listed product to everybody in the seller’s order', async () => {
  const { seller, id } = await list()
  await add(seller, id, await picture(), 'one.png', 'The first page')
  await add(seller, id, Buffer.from('ID3 a short sample'), 'sample.mp3', 'Two minutes')
  const [image, sample] = await add(seller, id, await picture(), 'two.png', 'The last page')
  expect((await get(image!.url)).headers.get('content-type')).toBe('image/webp')
  const part = await get(sample!.url, { range: 'bytes=4-10' })
  expect([part.status, await part.text(), part.headers.get('content-type')]).toEqual([206, 'a short', 'audio/mpeg'])
  const shown = await open.shop.call(getPreviews, { id })
  await seller.call(arrangePreviews, {
    id,
    previews: [{ id: shown[2]!.id, alt: 'Now first' }, shown[1]!].map(({ id: one, alt }) => ({ id: one, alt })),
  })
  // every node caches the list until it is notified
  await expect
    .poll(async () => (await open.shop.call(getPreviews, { id })).map(({ alt }) => alt))
    .toEqual(['Now first', 'Two minutes'])
  expect((await get(image!.url)).status).toBe(404)
  await sql`UPDATE products SET is_active = false WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  await expect
    .poll(() => open.shop.call(getPreviews, { id }).catch((error: unknown) => error))
    .toMatchObject(refused(404))
  expect((await get(sample!.url)).status).toBe(404)
  expect((await get(sample!.url, { cookie: seller.cookie })).status).toBe(200)
  expect(await seller.call(getPreviews, { id })).toHaveLength(2)
  expect(await seller.call(removeProduct, { id })).toEqual({ outcome: 'deleted' })
})

test('rejects previews that are too large, of an unknown kind, of another member or too many', async () => {
  const { seller, id } = await list()
  const other = await open.shop.join()
  await expect(add(other, id, await picture(), 'a.png')).rejects.toMatchObject(refused(404))
  await expect(other.call(arrangePreviews, { id, previews: [] })).rejects.toMatchObject(refused(404))
  await expect(add(seller, id, Buffer.from('plain text'), 'a.txt')).rejects.toMatchObject(refused(415))
  const huge = Buffer.alloc(20 * 1024 * 1024 + 1, 'x')
  huge.write('ID3')
  await expect(add(seller, id, huge, 'long.mp3')).rejects.toMatchObject(refused(413))
  await add(seller, id, Buffer.from('ID3 one'), 'a.mp3')
  await expect(add(seller, id, Buffer.from('ID3 two'), 'b.mp3')).rejects.toMatchObject(refused(409))
  const unknown = { id: crypto.randomUUID(), alt: 'x' }
  await expect(seller.call(arrangePreviews, { id, previews: [unknown] })).rejects.toMatchObject(refused(409))
})

async function makePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let page = 1; page <= pages; page++) pdf.addPage([300, 200])
  return pdf.save()
}

/** Sells a file and returns its product. */
async function sell(seller: Person, bytes: Uint8Array, name: string) {
  const given = { title: 'Bread by Weight', description: '', price: '9.00', categoryId: 'ebooks' }
  const { id } = await seller.call(createProduct, given)
  await seller.call(setProductFiles, { id, digitalFileURL: await upload(open.shop, seller, bytes, name) })
  return id
}

test('cuts a sample from the first pages of the sold file, and nobody can open the rest', async () => {
  const seller = await open.shop.join()
  const whole = await makePdf(30)
  const id = await sell(seller, whole, 'bread.pdf')
  const other = await open.shop.join()
  const extent = { shown: 6, whole: 30 }
  await expect(other.call(cutSample, { id, ...extent })).rejects.toMatchObject(refused(404))
  await expect(other.call(measureSample, { id })).rejects.toMatchObject(refused(404))
  // nothing is public before the seller agrees to the extent
  expect(await seller.call(measureSample, { id })).toEqual({ kind: 'pdf', ...extent, percent: 20 })
  await expect(seller.call(cutSample, { id, shown: 5, whole: 30 })).rejects.toMatchObject({ code: 'changed' })
  expect(await seller.call(getPreviews, { id })).toEqual([])
  const [sample] = await seller.call(cutSample, { id, ...extent })
  expect(sample).toMatchObject({ kind: 'pdf', alt: 'Bread by Weight', ...extent })
  await expect(seller.call(cutSample, { id, ...extent })).rejects.toMatchObject({ ...refused(409), code: 'too_many' })

  // a visitor without an account gets the sample, with any range
  const answer = await get(sample!.url)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(6)
  const beyond = await get(sample!.url, { range: `bytes=${bytes.length}-` })
  expect(beyond.status).toBe(416)
  // neither the response nor the URL of the sample contains the id of the sold file
  const { fileId } = await open.shop.database.db
    .selectFrom('products')
    .select('fileId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const file = await open.shop.database.db
    .selectFrom('productFiles')
    .select('objectId')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  for (const secret of [fileId, file.objectId]) expect((await get(`/samples/${secret}`)).status).toBe(404)
  const shown = await open.shop.call(getProduct, { id })
  expect(shown.samples).toEqual([sample])
  expect(JSON.stringify(shown)).not.toContain(file.objectId)
  await expect
    .poll(async () => (await open.shop.call(listProducts, {})).find((product) => product.id === id)?.hasSample)
    .toBe(true)
})

test('a new first file, a removed file and another kind of goods delete the sample that was cut from the old file', async () => {
  const seller = await open.shop.join()
  const extent = { shown: 6, whole: 30 }
  const bytesOf = async (name: string) => upload(open.shop, seller, await makePdf(30), name)
  const id = await sell(seller, await makePdf(30), 'bread.pdf')
  const samplesOf = async () => (await seller.call(getPreviews, { id })).map(({ kind }) => kind)
  const cutAgain = async () => {
    const sample = (await seller.call(cutSample, { id, ...extent })).find(({ shown }) => shown !== null)!
    expect((await get(sample.url)).status).toBe(200)
    return sample
  }
  await add(seller, id, Buffer.from('ID3 an uploaded sample'), 'sample.mp3')

  const sample = await cutAgain()
  await seller.call(setProductFiles, { id, digitalFileURL: await bytesOf('second.pdf') })
  expect(await samplesOf()).toEqual(['audio'])
  expect((await get(sample.url)).status).toBe(404)

  await cutAgain()
  // another file after the first one leaves the sample
  await seller.call(setProductFiles, { id, digitalFileURL: await bytesOf('appendix.pdf'), isAnother: true })
  expect(await samplesOf()).toEqual(['audio', 'pdf'])
  const [first, appendix] = (await seller.call(getOwnProduct, { id })).files
  const left = { id: appendix!.id, name: appendix!.name }
  await seller.call(arrangeFiles, { id, files: [left], removedId: first!.id })
  expect(await samplesOf()).toEqual(['audio'])

  await cutAgain()
  await seller.call(changeKind, { id, delivery: 'license' })
  expect(await samplesOf()).toEqual(['audio', 'pdf'])
  await seller.call(changeKind, { id, delivery: 'code' })
  expect(await samplesOf()).toEqual(['audio'])
  const bound = open.shop.database.db.selectFrom('objects').select('id').where('fileName', '=', 'sample.pdf')
  expect(await bound.where('userId', '=', seller.id).where('status', '=', 'bound').execute()).toEqual([])
})

test('cuts no sample from a file of another type, from a short one or without a file', async () => {
  const seller = await open.shop.join()
  const uncut = { ...refused(409), code: 'uncut' }
  const text = await sell(seller, Buffer.from('Plain text.'), 'notes.txt')
  await expect(seller.call(measureSample, { id: text })).rejects.toMatchObject(uncut)
  const short = await sell(seller, await makePdf(1), 'one.pdf')
  await expect(seller.call(measureSample, { id: short })).rejects.toMatchObject(uncut)
  const given = { title: 'Later', description: '', price: '9.00', categoryId: 'ebooks' }
  const { id } = await seller.call(createProduct, given)
  await expect(seller.call(measureSample, { id })).rejects.toMatchObject({ ...refused(409), code: 'no_file' })
  expect(await seller.call(getPreviews, { id: short })).toEqual([])
})

test('a course shows before the purchase how many lessons it has, which is free and which open later', async () => {
  const seller = await open.shop.join()
  const { id } = await seller.call(createProduct, {
    ...{ title: 'Typing Without Pain', description: '', price: '21.00', categoryId: 'courses' },
  })
  const edits = [
    { title: 'How you sit', isPreview: true, opensOn: null, opensAfterDays: null },
    { title: 'Thumbs', isPreview: false, opensOn: '2099-12-04', opensAfterDays: null },
    { title: 'Five minutes', isPreview: false, opensOn: null, opensAfterDays: 7 },
  ]
  for (const { title } of edits) await seller.call(addPart, { id, isSection: false, title })
  for (const [i, { id: partId }] of (await seller.call(getOutline, { id })).entries()) {
    const { version } = await seller.call(getPart, { id, partId })
    await seller.call(savePart, { id, partId, text: 'Sit.', version, ...edits[i]! })
  }
  // every node caches the product until it is notified of a changed lesson
  await expect
    .poll(async () => (await open.shop.call(getProduct, { id })).lessons)
    .toEqual({
      ...{ count: 3, free: 'How you sit' },
      later: [
        { title: 'Thumbs', opensOn: '2099-12-04', opensAfterDays: null },
        { title: 'Five minutes', opensOn: null, opensAfterDays: 7 },
      ],
    })
  await expect
    .poll(async () => (await open.shop.call(listProducts, {})).find((product) => product.id === id)?.hasSample)
    .toBe(true)
})

test('a changed text of a lesson does not evict the cached catalogue, and a changed title does', async () => {
  const seller = await open.shop.join()
  const given = { title: 'Typing Without Pain', description: '', price: '21.00', categoryId: 'courses' }
  const { id } = await seller.call(createProduct, given)
  const listed = { ...{ id, isSection: false }, title: 'How you sit' }
  await seller.call(addPart, listed)
  const [lesson] = await seller.call(getOutline, { id })
  const client = await open.shop.database.pool.connect()
  await client.query('LISTEN catalogue')
  const told: string[] = []
  client.on('notification', ({ channel }) => told.push(channel))
  const save = async (text: string, title: string) => {
    const { version } = await seller.call(getPart, { id, partId: lesson!.id })
    const dates = { opensOn: null, opensAfterDays: null }
    await seller.call(savePart, { ...{ id, partId: lesson!.id, text, title, version }, isPreview: false, ...dates })
    await client.query('SELECT 1')
  }
  await save('Sit upright.', 'How you sit')
  expect(told).toEqual([])
  await save('Sit upright.', 'How to sit')
  expect(told).toEqual(['catalogue'])
  await sql`UPDATE products SET is_active = false WHERE id = ${id}::uuid`.execute(open.shop.database.db)
  await client.query('SELECT 1')
  told.splice(0)
  await save('Sit upright.', 'Sit')
  expect(told).toEqual([])
  await client.query('UNLISTEN catalogue')
  client.release(true)
})
