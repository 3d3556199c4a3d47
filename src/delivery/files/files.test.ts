import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { arrangeFiles, getProduct, setProductFiles } from '../../catalogue/catalogue.contract.ts'
import { refundOrder } from '../../aftersale/refunds/refund.server.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { getOwnProduct } from '../../selling/selling.contract.ts'
import { upload } from '../../../test/served.ts'
import { readEntry, readZip } from '../../uploads/checks/zip.server.ts'
import { grantDownload } from './files.contract.ts'
import { listOwnedFiles } from '../library/library.contract.ts'

const open = openShopForTests()

/** Creates a product of the seller with the files book.txt, one.txt and two.txt. */
async function list(seller: Person) {
  const product = await addProduct(open.shop)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(
    open.shop.database.db,
  )
  for (const name of ['one', 'two']) await add(seller, product.id, name)
  return product
}

const add = async (seller: Person, id: string, name: string, more: object = { isAnother: true }) =>
  seller.call(setProductFiles, {
    ...{ id, ...more },
    digitalFileURL: await upload(open.shop, seller, Buffer.from(`The text of ${name}.`), `${name}.txt`),
  })
const filesOf = async (seller: Person, id: string) => (await seller.call(getOwnProduct, { id })).files
const namesOf = async (seller: Person, id: string) => (await filesOf(seller, id)).map(({ name }) => name)

const bytesOf = async (person: Person, { id, lines }: Order, asked: object = {}) => {
  const { url } = await person.call(grantDownload, { id, lineId: lines[0]!.id, ...asked })
  return fetch(open.shop.url + url, { headers: { cookie: person.cookie } })
}
const textOf = async (...given: Parameters<typeof bytesOf>) => (await bytesOf(...given)).text()

async function unzip(answer: Response): Promise<Record<string, string>> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  const read = async (start: number, length: number) => bytes.subarray(start, start + length)
  const entries = (await readZip(read, bytes.length))!
  const texts = await Promise.all(entries.map((entry) => readEntry(read, entry, 1_000_000)))
  return Object.fromEntries(entries.map(({ name }, i) => [name, String(texts[i])]))
}

test('serves the set of files that was sold, and newer versions one by one', async () => {
  const [ada, buyer, late] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const product = await list(ada)
  const order = await buy(open.shop, buyer, product)
  const line = { id: order.lines[0]!.id }
  const sold = await buyer.call(listOwnedFiles, line)
  expect(sold.map(({ fileName }) => fileName)).toEqual(['book.txt', 'one.txt', 'two.txt'])
  expect(sold[1]!.sha256).toBe(createHash('sha256').update('The text of one.').digest('hex'))
  expect(order.lines[0]!.delivery).toMatchObject({ fileName: 'book.txt', moreFiles: 2, newer: null })

  const [book, one, two] = await filesOf(ada, product.id)
  await add(ada, product.id, 'newer', { fileId: one!.id, note: 'Better.' })
  await add(ada, product.id, 'third')
  const [, newer, , third] = await filesOf(ada, product.id)
  await ada.call(arrangeFiles, {
    id: product.id,
    files: [newer!, third!, book!].map(({ id, name }) => ({ id, name })),
    removedId: two!.id,
  })

  expect(
    (await buyer.call(listOwnedFiles, line)).map((file) => [file.fileName, file.newer?.fileName, file.newer?.note]),
  ).toEqual([
    ['book.txt', undefined, undefined],
    ['one.txt', 'newer.txt', 'Better.'],
    ['two.txt', undefined, undefined],
  ])
  expect((await buyer.call(getOrder, { id: order.id })).lines[0]!.delivery).toMatchObject({ newer: null })
  expect(await textOf(buyer, order)).toBe(product.bytes.toString())
  expect(await textOf(buyer, order, { isNewest: true })).toBe(product.bytes.toString())
  expect(await textOf(buyer, order, { fileId: two!.id })).toBe('The text of two.')
  expect(await textOf(buyer, order, { fileId: newer!.id })).toBe('The text of newer.')
  // files added later were not bought
  await expect(bytesOf(buyer, order, { fileId: third!.id })).rejects.toMatchObject({ status: 404 })
  await expect(bytesOf(late, order, { fileId: two!.id })).rejects.toMatchObject({ status: 404 })
  const second = await buy(open.shop, late, product)
  const names = (await late.call(listOwnedFiles, { id: second.lines[0]!.id })).map(({ fileName }) => fileName)
  expect(names).toEqual(['newer.txt', 'third.txt', 'book.txt'])
  const exported = await readMyData(open.shop.database.pool, buyer.id)
  expect(exported['bought.json']).toMatchObject([
    { page: `/orders/${order.id}`, files: ['book.txt', 'one.txt', 'two.txt'] },
  ])
})

test('sends all files as one ZIP, and ends it after a refund', async () => {
  const [ada, buyer, other] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const product = await list(ada)
  const { files } = await ada.call(getOwnProduct, { id: product.id })
  const same = files.map(({ id }, i) => ({ id, name: i === 0 ? 'book' : 'Same' }))
  await ada.call(arrangeFiles, { id: product.id, files: same })
  const order = await buy(open.shop, buyer, product)
  const answer = await bytesOf(buyer, order, { isAll: true })
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toContain('filename="a-small-book.zip"')
  expect(answer.headers.get('accept-ranges')).toBeNull()
  expect(await unzip(answer)).toEqual({
    'book.txt': product.bytes.toString(),
    'Same.txt': 'The text of one.',
    'Same (2).txt': 'The text of two.',
  })
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id, isAll: true })
  const as = (person: Person) => fetch(open.shop.url + url, { headers: { cookie: person.cookie } })
  expect((await as(other)).status).toBe(404)
  await refundOrder(open.shop.checkout, order.id, 'asked for')
  expect((await as(buyer)).status).toBe(403)
})

test('sends the file itself if a line has only one', async () => {
  const buyer = await open.shop.join()
  const product = await addProduct(open.shop)
  const answer = await bytesOf(buyer, await buy(open.shop, buyer, product), { isAll: true })
  expect(answer.headers.get('accept-ranges')).toBe('bytes')
  expect(await answer.text()).toBe(product.bytes.toString())
})

test('lets a seller rename, order, replace and remove files, at most 20 of them', async () => {
  const [ada, eve] = [await open.shop.join(), await open.shop.join()]
  const product = await list(ada)
  const { id } = product
  const [book, one, two] = (await filesOf(ada, id)).map((file) => ({ id: file.id, name: file.name }))
  await ada.call(arrangeFiles, { id, files: [two!, { ...book!, name: 'The book' }, one!] })
  expect(await namesOf(ada, id)).toEqual(['two.txt', 'The book.txt', 'one.txt'])
  expect(await open.shop.call(getProduct, { id })).toMatchObject({
    file: { name: 'two.txt' },
    moreFiles: ['The book.txt', 'one.txt'],
    totalBytes: product.bytes.length + 'The text of one.The text of two.'.length,
  })
  // an upload without a file id replaces the first file
  await add(ada, id, 'new', {})
  expect(await namesOf(ada, id)).toEqual(['new.txt', 'The book.txt', 'one.txt'])
  await expect(add(ada, id, 'late', { fileId: two!.id })).rejects.toMatchObject({ status: 409, code: 'changed' })
  const left = (await filesOf(ada, id)).map((file) => ({ id: file.id, name: file.name }))
  for (const files of [left.slice(1), [...left, left[0]!], [left[0]!, left[1]!, two!]])
    await expect(ada.call(arrangeFiles, { id, files })).rejects.toMatchObject({ status: 409, code: 'changed' })
  await expect(eve.call(arrangeFiles, { id, files: left })).rejects.toMatchObject({ status: 404 })
  await expect(
    ada.call(arrangeFiles, { id, files: left.map((file) => ({ ...file, name: '..' })) }),
  ).rejects.toMatchObject({ status: 400 })
  await buy(open.shop, eve, { id, price: '10.00' })
  const renamed = left.map((file) => ({ ...file, name: 'Pay again' }))
  await expect(ada.call(arrangeFiles, { id, files: renamed })).rejects.toMatchObject({ status: 409, code: 'sold' })
  await ada.call(arrangeFiles, { id, files: left.slice(1), removedId: left[0]!.id })
  expect(await namesOf(ada, id)).toEqual(['The book.txt', 'one.txt'])
  await sql`UPDATE products SET more_file_ids = array_fill(file_id, ARRAY[19]) WHERE id = ${id}::uuid`.execute(
    open.shop.database.db,
  )
  await expect(add(ada, id, 'last')).rejects.toMatchObject({ status: 409, code: 'too_many_files' })
})
