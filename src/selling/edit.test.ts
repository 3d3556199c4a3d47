import sharp from 'sharp'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { changeCategory, getCategoryBook } from '../catalogue/categories/editor.contract.ts'
import { createProduct, getProduct, listProducts, setProductFiles } from '../catalogue/catalogue.contract.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { upload } from '../../test/served.ts'
import {
  duplicateProduct,
  editProduct,
  getOwnProduct,
  listOwnProducts,
  type OwnDetail,
  relistProduct,
  withdrawProduct,
} from './selling.contract.ts'

const open = openShopForTests()

async function list(seller: Person, title = 'A small book') {
  const product = await addProduct(open.shop, { title })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(
    open.shop.database.db,
  )
  return product
}

const inputOf = ({ id, version, title, description, price, categoryId }: OwnDetail) => ({
  ...{ id, version, title, description, price, categoryId },
})

test('shows an edit in the shop and in carts at once and does not change orders', async () => {
  const { shop } = open
  const [ada, buyer, other] = [await shop.join(), await shop.join(), await shop.join()]
  const book = await list(ada, 'Old Title')
  const order = await buy(shop, buyer, book)
  await other.call(addToCart, { productId: book.id, quantity: 2 })
  expect((await other.call(getCart, {}))[0]!.product.wasPrice).toBe(null)
  expect(await shop.call(getProduct, { id: book.id })).toMatchObject({ title: 'Old Title' })

  const own = await ada.call(getOwnProduct, { id: book.id })
  const description = '# Four\n\n- **bold** words\n- and [a link](https://x.example/)'
  const edit = { ...inputOf(own), title: 'New Title', description, price: '12.5', categoryId: 'audio' }
  const saved = await ada.call(editProduct, edit)
  expect(saved).toMatchObject({ ...edit, price: '12.50', version: own.version + 1, status: 'listed' })
  await expect
    .poll(() => shop.call(getProduct, { id: book.id }))
    .toMatchObject({ title: 'New Title', price: '12.50', categoryId: 'audio', description })
  // lists show the description without Markdown
  expect((await shop.call(listProducts, { q: 'New Title' }))[0]!.description).toBe('Four\n\nbold words\nand a link')
  const [line] = (await buyer.call(getOrder, { id: order.id })).lines
  expect(line).toMatchObject({ title: 'Old Title', price: '10.00' })
  const product = { title: 'New Title', price: '12.50', wasPrice: '10.00' }
  expect(await other.call(getCart, {})).toMatchObject([{ quantity: 2, product }])
  // adding the product again accepts the new price
  expect(await other.call(addToCart, { productId: book.id, quantity: 1 })).toMatchObject([
    { quantity: 3, product: { ...product, wasPrice: null } },
  ])
})

test('rejects an edit of an older version and saves only one of twenty simultaneous edits', async () => {
  const ada = await open.shop.join()
  const own = inputOf(await ada.call(getOwnProduct, { id: (await list(ada)).id }))
  const edits = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => ada.call(editProduct, { ...own, title: `Edit ${i}` })),
  )
  const saved = edits.filter(({ status }) => status === 'fulfilled')
  expect(saved).toHaveLength(1)
  for (const refused of edits.filter((one) => one.status === 'rejected'))
    expect(refused.reason).toMatchObject({ status: 409, code: 'changed' })
  const now = await ada.call(getOwnProduct, { id: own.id })
  expect(now).toMatchObject({ version: own.version + 1, title: expect.stringMatching(/^Edit/) })
  // withdrawing does not change the version
  await ada.call(withdrawProduct, { id: own.id })
  await ada.call(relistProduct, { id: own.id })
  await ada.call(editProduct, { ...inputOf(now), title: 'Last' })
})

test("rejects edits of another seller's product, also by staff, and malformed edits", async () => {
  const { shop } = open
  const [ada, eve, staff] = [await shop.join(), await shop.join(), await shop.join({ isAdmin: true })]
  const own = inputOf(await ada.call(getOwnProduct, { id: (await list(ada)).id }))
  for (const person of [eve, staff]) {
    await expect(person.call(editProduct, own)).rejects.toMatchObject({ status: 404 })
    await expect(person.call(getOwnProduct, { id: own.id })).rejects.toMatchObject({ status: 404 })
    await expect(person.call(duplicateProduct, { id: own.id })).rejects.toMatchObject({ status: 404 })
  }
  for (const wrong of [
    { version: 0 },
    { version: '1' },
    { title: ' ' },
    { price: '-1' },
    { price: '1e3' },
    { description: 'x'.repeat(10_001) },
    { categoryId: 'nothing-such' },
    { imageURL: 'https://other.example/objects/x' },
    { sellerId: eve.id },
    { isActive: false },
  ])
    await expect(ada.call(editProduct, { ...own, ...(wrong as object) }), JSON.stringify(wrong)).rejects.toMatchObject({
      status: 400,
    })
  expect(await ada.call(getOwnProduct, { id: own.id })).toMatchObject(own)
})

test('an edit can set, keep or remove the image and increments the version', async () => {
  const { shop } = open
  const ada = await shop.join()
  const book = await list(ada)
  const image = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
  const own = await ada.call(getOwnProduct, { id: book.id })
  const imageURL = await upload(shop, ada, image)
  const pictured = await ada.call(editProduct, { ...inputOf(own), imageURL })
  expect(pictured.imageUrl).toMatch(/^\/images\//)
  const same = { ...inputOf(pictured), title: 'Renamed' }
  const kept = await ada.call(editProduct, { ...same, imageURL: pictured.imageUrl })
  expect(kept).toMatchObject({ title: 'Renamed', imageUrl: pictured.imageUrl, version: pictured.version + 1 })
  const bare = await ada.call(editProduct, { ...inputOf(kept), imageURL: null })
  expect(bare.imageUrl).toBe(null)
  // an image set on the product page also increments the version
  await ada.call(setProductFiles, { id: book.id, imageURL: await upload(shop, ada, image) })
  await expect(ada.call(editProduct, inputOf(bare))).rejects.toMatchObject({ status: 409 })
})

test('a draft stays out of the shop until its seller puts it on sale, and a copy is a draft', async () => {
  const { shop } = open
  const ada = await shop.join()
  const { id } = await ada.call(createProduct, { title: 'Slow', price: '4', categoryId: 'ebooks', isDraft: true })
  await expect(ada.call(relistProduct, { id })).rejects.toMatchObject({ status: 409, code: 'goods_missing' })
  const digitalFileURL = await upload(shop, ada, Buffer.from('Pages.'), 'slow.txt')
  expect(await ada.call(setProductFiles, { id, digitalFileURL })).toMatchObject({
    isActive: false,
    unlistedReason: 'This is a draft. You put it on sale in My Products.',
  })
  await expect(shop.call(getProduct, { id })).rejects.toMatchObject({ status: 404 })
  expect(await ada.call(listOwnProducts, { status: 'draft' })).toMatchObject([{ id, status: 'draft' }])
  await ada.call(relistProduct, { id })
  await expect.poll(() => shop.call(getProduct, { id }).catch(() => null)).toMatchObject({ isActive: true })

  const copy = await ada.call(duplicateProduct, { id })
  expect(copy).toMatchObject({ title: 'Slow (copy)', price: '4.00', status: 'draft', files: [], sales: 0, version: 1 })
  expect(copy.id).not.toBe(id)
})

test('rejects a file whose content does not match its extension, at upload and before sale', async () => {
  const { shop } = open
  const ada = await shop.join()
  const { id } = await ada.call(createProduct, { title: 'Fake', price: '4', categoryId: 'ebooks' })
  await expect(upload(shop, ada, Buffer.from('just some text..'), 'fake.pdf')).rejects.toThrow(
    '415 {"message":"“fake.pdf” isn’t a PDF. It looks like a text.","code":"not_as_claimed"}',
  )
  // simulates an upload that was stored without this check
  const digitalFileURL = await upload(shop, ada, Buffer.from('just some text..'), 'fake.txt')
  await sql`UPDATE objects SET file_name = 'fake.pdf' WHERE user_id = ${ada.id}::uuid`.execute(shop.database.db)
  await expect(ada.call(setProductFiles, { id, digitalFileURL })).rejects.toMatchObject({ status: 415 })
  expect(await ada.call(getOwnProduct, { id })).toMatchObject({ status: 'incomplete', files: [] })
  await ada.call(setProductFiles, { id, digitalFileURL: await upload(shop, ada, Buffer.from('Pages.'), 'true.txt') })
  expect(await ada.call(getOwnProduct, { id })).toMatchObject({ status: 'listed', files: [{ isChecked: true }] })
})

test('sells programs only in categories that allow programs, also after an edit', async () => {
  const { shop } = open
  const ada = await shop.join()
  const program = () => upload(shop, ada, Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'tool.exe')
  const book = await ada.call(createProduct, { title: 'Book', price: '4', categoryId: 'ebooks' })
  await expect(ada.call(setProductFiles, { id: book.id, digitalFileURL: await program() })).rejects.toMatchObject({
    status: 415,
    code: 'program',
    details: { message: 'The file is or holds a program, which only the category Software takes.' },
  })
  const tool = await ada.call(createProduct, { title: 'Tool', price: '4', categoryId: 'software' })
  await ada.call(setProductFiles, { id: tool.id, digitalFileURL: await program() })
  expect(await ada.call(getOwnProduct, { id: tool.id })).toMatchObject({ files: [{ isProgram: true }] })
  const own = inputOf(await ada.call(getOwnProduct, { id: tool.id }))
  await expect(ada.call(editProduct, { ...own, categoryId: 'ebooks' })).rejects.toMatchObject({ status: 415 })
  expect(await ada.call(editProduct, { ...own, title: 'Tools' })).toMatchObject({ categoryId: 'software' })

  const staff = await shop.join({ isAdmin: true })
  const change = async (id: string, sellsPrograms: boolean) => {
    const { hasProducts: _, ...words } = (await staff.call(getCategoryBook, {})).categories.find(
      (one) => one.id === id,
    )!
    await staff.call(changeCategory, { ...words, sellsPrograms })
  }
  await change('software', false)
  await expect(ada.call(setProductFiles, { id: book.id, digitalFileURL: await program() })).rejects.toMatchObject({
    details: { message: 'The file is or holds a program, which no category takes.' },
  })
  await change('ebooks', true)
  await ada.call(setProductFiles, { id: book.id, digitalFileURL: await program() })
  await change('ebooks', false)
  await change('software', true)
})

test('a buyer can download the bought file and the file that replaced it', async () => {
  const { shop } = open
  const [ada, buyer, late] = [await shop.join(), await shop.join(), await shop.join()]
  const book = await list(ada)
  const { id, lines } = await buy(shop, buyer, book)
  const line = { id, lineId: lines[0]!.id }
  const bytesOf = async (person: Person, asked: typeof line & { isNewest?: boolean }) => {
    const { url } = await person.call(grantDownload, asked)
    const download = await fetch(shop.url + url, { headers: { cookie: person.cookie } })
    return Buffer.from(await download.arrayBuffer()).toString()
  }
  const goodsOf = async (person: Person, orderId: string) =>
    (await person.call(getOrder, { id: orderId })).lines[0]!.delivery
  expect(await goodsOf(buyer, id)).toMatchObject({ fileName: 'book.txt', newer: null })
  // the bought file is the newest until the seller replaces it
  expect(await bytesOf(buyer, { ...line, isNewest: true })).toBe(book.bytes.toString())

  const note = 'The second chapter no longer ends early.'
  const digitalFileURL = await upload(shop, ada, Buffer.from('Second edition.'), 'second.txt')
  await ada.call(setProductFiles, { id: book.id, digitalFileURL, note })
  expect(await goodsOf(buyer, id)).toMatchObject({
    fileName: 'book.txt',
    newer: { fileName: 'second.txt', sizeBytes: 15, note },
  })
  expect(await bytesOf(buyer, line)).toBe(book.bytes.toString())
  expect(await bytesOf(buyer, { ...line, isNewest: true })).toBe('Second edition.')
  const second = await buy(shop, late, book)
  expect(await goodsOf(late, second.id)).toMatchObject({ fileName: 'second.txt', newer: null })
  await expect(late.call(grantDownload, { ...line, isNewest: true })).rejects.toMatchObject({ status: 404 })
  await expect(
    ada.call(setProductFiles, { id: book.id, digitalFileURL, note: 'x'.repeat(1001) }),
  ).rejects.toMatchObject({ status: 400 })
})

test('a seller can make a product free, let buyers choose the price, and fix the price again', async () => {
  const { shop } = open
  const ada = await shop.join()
  const { id } = await list(ada, 'Walks')
  const edit = async (asking: { price: string; suggested?: string | null }) =>
    ada.call(editProduct, { ...inputOf(await ada.call(getOwnProduct, { id })), ...asking })
  expect(await edit({ price: '0' })).toMatchObject({ price: '0.00', suggested: null, status: 'listed' })
  await expect.poll(() => shop.call(listProducts, { price: 'free', q: 'Walks' })).toMatchObject([{ id, price: '0.00' }])
  expect(await edit({ price: '3', suggested: '5' })).toMatchObject({ price: '3.00', suggested: '5.00' })
  await expect.poll(() => shop.call(getProduct, { id })).toMatchObject({ price: '3.00', suggested: '5.00' })
  await expect.poll(() => shop.call(listProducts, { price: 'free', q: 'Walks' })).toEqual([])
  const { id: copy } = await ada.call(duplicateProduct, { id })
  expect(await ada.call(getOwnProduct, { id: copy })).toMatchObject({ price: '3.00', suggested: '5.00' })
  for (const [asking, message] of [
    [{ price: '3', suggested: '2.99' }, 'suggested: Suggest at least the minimum'],
    [{ price: '0', suggested: '0' }, 'suggested: Price must be a positive number'],
    [{ price: '-1' }, 'price: Price must be a positive number'],
  ] as const)
    await expect(edit(asking)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
  expect(await edit({ price: '4' })).toMatchObject({ price: '4.00', suggested: null })
})

test('rejects a price of zero for codes and for new products that are not drafts', async () => {
  const { shop } = open
  const ada = await shop.join()
  const { id } = await addProduct(shop, { codes: ['A-1'] })
  await sql`UPDATE products SET seller_id = ${ada.id}::uuid WHERE id = ${id}::uuid`.execute(shop.database.db)
  const own = inputOf(await ada.call(getOwnProduct, { id }))
  await expect(ada.call(editProduct, { ...own, price: '0' })).rejects.toMatchObject({
    status: 409,
    code: 'free_file_only',
  })
  const made = { title: 'Sample', price: '0.00', categoryId: 'ebooks' }
  await expect(ada.call(createProduct, made)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('price: Price must be a positive number'),
  })
  expect(await ada.call(createProduct, { ...made, isDraft: true })).toMatchObject({ price: '0.00' })
})
