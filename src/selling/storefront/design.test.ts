import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { upload } from '../../../test/served.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readMyData } from '../../account/data/export.rows.server.ts'
import { SECTIONS } from '../../catalogue/sellers/design.rules.ts'
import type { Input } from '../../kit/contract.ts'
import { liftSuspension, suspendSeller } from '../../moderation/moderation.contract.ts'
import { sweepUploads } from '../../uploads/sweep.server.ts'
import { getSeller, getStorefront, saveStorefront } from './storefront.contract.ts'

const open = openShopForTests()
const db = () => open.shop.database.db

type Design = NonNullable<Input<typeof saveStorefront>['design']>
const PLAIN: Design = {
  ...{ headerURL: null, headerColor: null, accentColor: null, sections: [...SECTIONS], featuredId: null, links: [] },
}
const FULL: Design = {
  ...{ headerURL: null, headerColor: '#102030', accentColor: '#ffcc00', featuredId: null },
  sections: ['reviews', 'products', 'featured', 'about'],
  links: [
    { label: 'Blog', url: 'https://example.com/blog' },
    { label: 'Films', url: 'https://films.example.com' },
  ],
}

let sellers = 0
async function openPage() {
  const [seller, product] = [await open.shop.join({ firstName: 'Ada' }), await addProduct(open.shop)]
  await db().updateTable('products').set({ sellerId: seller.id }).where('id', '=', product.id).execute()
  const handle = `designer-${++sellers}`
  await seller.call(saveStorefront, { handle, bio: '' })
  await db().updateTable('storefronts').set({ openedAt: new Date() }).where('userId', '=', seller.id).execute()
  const save = (change: Partial<Design>) =>
    seller.call(saveStorefront, { handle, bio: '', design: { ...PLAIN, ...change } })
  const seen = () => open.shop.call(getSeller, { handle })
  return { seller, product, handle, save, seen }
}

const picture = (width = 1200) =>
  sharp({ create: { width, height: 400, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
const uploadPicture = async (person: Person) => upload(open.shop, person, await picture(), 'header.png')
const idIn = (url: string) => /([0-9a-f-]{36})/.exec(url)![1]!
const get = async (path: string) => (await fetch(open.shop.url + path)).status

test('everybody sees the design of a seller’s page', async () => {
  const { product, save, seen } = await openPage()
  expect((await seen()).design).toBeNull()
  await save({ ...FULL, featuredId: product.id })
  await expect.poll(async () => (await seen()).design).not.toBeNull()
  expect((await seen()).design).toMatchObject({
    ...{ header: null, headerColor: '#102030', accentColor: '#ffcc00', sections: FULL.sections },
    featured: { id: product.id, title: 'A small book', price: '10.00' },
    links: [FULL.links[0], { label: 'Films', url: 'https://films.example.com/' }],
  })
})

test('a page without any choice has the look of the shop, also after a reset', async () => {
  const { seller, save, seen } = await openPage()
  await save({})
  expect((await seen()).design).toBeNull()
  await save(FULL)
  await expect.poll(async () => (await seen()).design).not.toBeNull()
  expect(await save({})).toMatchObject({ design: null, featuredId: null })
  await expect.poll(async () => (await seen()).design).toBeNull()
  for (const table of ['storefrontDesigns', 'storefrontLinks'] as const)
    expect(await db().selectFrom(table).selectAll().where('userId', '=', seller.id).execute()).toEqual([])
})

test('a change of address and text does not change the design', async () => {
  const { seller, handle, save, seen } = await openPage()
  await save(FULL)
  await seller.call(saveStorefront, { handle, bio: 'I bind books.' })
  await expect.poll(seen).toMatchObject({ bio: 'I bind books.', design: { headerColor: '#102030' } })
})

test('a header picture is checked, stored in all sizes and released when it is replaced', async () => {
  const { seller, save, seen } = await openPage()
  const first = await uploadPicture(seller)
  const { design } = await save({ headerURL: first })
  expect(design?.header).toEqual({ url: `/images/${idIn(first)}/640.webp`, color: '#2740b5' })
  await expect.poll(async () => (await seen()).design?.header).toEqual(design?.header)
  expect(await get(design!.header!.url)).toBe(200)
  // the current picture stays
  await save({ headerURL: design!.header!.url, headerColor: '#000000' })
  expect(await get(design!.header!.url)).toBe(200)
  const second = await save({ headerURL: await uploadPicture(seller) })
  expect([await get(design!.header!.url), await get(second.design!.header!.url)]).toEqual([404, 200])
  await save({})
  expect(await get(second.design!.header!.url)).toBe(404)
})

test('rejects a file that is no picture, and a picture of another member', async () => {
  const { seller, save } = await openPage()
  const text = await upload(open.shop, seller, Buffer.from('plain text'), 'a.txt')
  await expect(save({ headerURL: text })).rejects.toMatchObject({ status: 415 })
  const stranger = await open.shop.join()
  const foreign = await uploadPicture(stranger)
  await expect(save({ headerURL: foreign })).rejects.toMatchObject({ status: 404 })
  await expect(save({ headerURL: 'https://example.com/a.png' })).rejects.toMatchObject({ status: 400 })
  const other = await openPage()
  const { design } = await other.save({ headerURL: await uploadPicture(other.seller) })
  await expect(save({ headerURL: design!.header!.url })).rejects.toMatchObject({ status: 404 })
})

test.each([
  ['a colour by name', { headerColor: 'red' }],
  ['a colour with an expression', { accentColor: '#fff;}' }],
  ['a section twice', { sections: ['about', 'about', 'products', 'reviews'] }],
  ['a missing section', { sections: ['about', 'products', 'reviews'] }],
  ['an unknown section', { sections: ['about', 'featured', 'products', 'ads'] }],
  ['a link to http', { links: [{ label: 'Site', url: 'http://example.com' }] }],
  ['a link that runs a script', { links: [{ label: 'Site', url: 'javascript:alert(1)' }] }],
  ['a link to a machine of the network', { links: [{ label: 'Site', url: 'https://192.168.0.1/' }] }],
  ['a link without a name', { links: [{ label: ' ', url: 'https://example.com' }] }],
  ['six links', { links: Array.from({ length: 6 }, () => ({ label: 'Site', url: 'https://example.com' })) }],
])('rejects %s', async (_, change) => {
  const { save } = await openPage()
  await expect(save(change as Partial<Design>)).rejects.toMatchObject({ status: 400 })
})

test('features only a product of the seller, and hides one that is off sale', async () => {
  const { seller, product, save, seen } = await openPage()
  const foreign: TestProduct = await addProduct(open.shop)
  await expect(save({ featuredId: foreign.id })).rejects.toMatchObject({
    ...{ status: 409, code: 'not_yours', details: { field: 'featuredId' } },
  })
  await save({ featuredId: product.id })
  await expect.poll(async () => (await seen()).design?.featured?.id).toBe(product.id)
  await db().updateTable('products').set({ isActive: false }).where('id', '=', product.id).execute()
  await expect.poll(async () => (await seen()).design).toMatchObject({ featured: null })
  expect(await seller.call(getStorefront, {})).toMatchObject({ featuredId: product.id, design: { featured: null } })
})

test('the page of a suspended seller hides the design', async () => {
  const { seller, save, seen } = await openPage()
  await save({ ...FULL, headerURL: await uploadPicture(seller) })
  await expect.poll(async () => (await seen()).design).not.toBeNull()
  const staff = await open.shop.join({ role: 'support' })
  await staff.call(suspendSeller, { id: seller.id, reason: 'No rights.', days: null })
  await expect.poll(async () => (await seen()).design).toBeNull()
  await staff.call(liftSuspension, { id: seller.id })
  await expect.poll(async () => (await seen()).design).not.toBeNull()
})

test('the design is in the export of the account, and its erasure removes design, links and picture', async () => {
  const { seller, save } = await openPage()
  const headerURL = await uploadPicture(seller)
  const { design } = await save({ ...FULL, headerURL })
  const data = await readMyData(open.shop.database.pool, seller.id)
  expect(data['seller-page-design.json']).toMatchObject([
    { header_color: '#102030', header_picture: 'header.png', links: [{ label: 'Blog' }, { label: 'Films' }] },
  ])
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', seller.id)
    .execute()
  await eraseDueAccounts(db())
  for (const table of ['storefrontDesigns', 'storefrontLinks'] as const)
    expect(await db().selectFrom(table).selectAll().where('userId', '=', seller.id).execute()).toEqual([])
  expect(await get(design!.header!.url)).toBe(404)
  const id = idIn(headerURL)
  await db()
    .updateTable('objects')
    .set({ createdAt: new Date(0), storedAt: new Date(0) })
    .where('id', '=', id)
    .execute()
  await sweepUploads(db(), open.shop.storage)
  expect(await db().selectFrom('objects').selectAll().where('id', '=', id).execute()).toEqual([])
})

test('paints the header picture for link previews', async () => {
  const { seller, handle, save, seen } = await openPage()
  await save({ headerURL: await uploadPicture(seller) })
  await expect.poll(async () => (await seen()).design).not.toBeNull()
  const answer = await fetch(`${open.shop.url}/images/sellers/${handle}.jpg`)
  const { dominant } = await sharp(Buffer.from(await answer.arrayBuffer())).stats()
  expect(dominant.b).toBeGreaterThan(dominant.r)
})
