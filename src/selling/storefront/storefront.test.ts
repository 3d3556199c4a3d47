import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { saveProfile } from '../../account/profile/profile.contract.ts'
import { getProduct, listProducts } from '../../catalogue/catalogue.contract.ts'
import { liftSuspension, suspendSeller } from '../../moderation/moderation.contract.ts'
import { getSeller, getStorefront, saveStorefront } from './storefront.contract.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const PLAIN = { design: null, featuredId: null }

/** A product on sale with its seller. */
async function listed(given: Parameters<typeof addProduct>[1] = {}): Promise<{ seller: Person; product: TestProduct }> {
  const product = await addProduct(open.shop, given)
  return { seller: await sellerOf(product.id), product }
}

async function sellerOf(productId: string): Promise<Person> {
  const { id, email } = await db()
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'products.sellerId')
    .select(['users.id', 'email'])
    .where('products.id', '=', productId)
    .executeTakeFirstOrThrow()
  const cookie = await open.shop.identity.createSession(email)
  const call: Person['call'] = (endpoint, input, options = {}) =>
    open.shop.call(endpoint, input, { ...options, headers: { cookie, ...options.headers } })
  return { id, email, cookie, call }
}

const seen = (handle: string) =>
  open.shop.call(getSeller, { handle }).catch((error: { status: number }) => error.status)
const handleOf = async (person: Person) => (await person.call(getStorefront, {})).handle!
const titlesOf = async (seller: string, sort?: 'price-asc' | 'price-desc' | 'rating' | 'title' | 'newest') =>
  (await open.shop.call(listProducts, { seller, sort })).map(({ title }) => title)

test('the first product on sale opens a page at an address made from the public name', async () => {
  const ada = await open.shop.join({ firstName: 'Zoë' })
  const draft = { sellerId: ada.id, categoryId: 'ebooks', title: 'Later', priceCents: 100, delivery: 'code' as const }
  const add = () =>
    db()
      .insertInto('products')
      .values({ ...draft, isActive: false })
      .returning('id')
      .executeTakeFirstOrThrow()
  const { id } = await add()
  expect(await ada.call(getStorefront, {})).toEqual({ ...PLAIN, handle: null, bio: '', isOpen: false })
  await db().updateTable('products').set({ isActive: true }).where('id', '=', id).execute()
  expect(await ada.call(getStorefront, {})).toEqual({ ...PLAIN, handle: 'zoe-p', bio: '', isOpen: true })
  await expect
    .poll(() => seen('zoe-p'))
    .toMatchObject({ name: 'Zoë P.', products: 1, rated: null, avatarUrl: null, design: null })
  expect(await open.shop.call(getProduct, { id })).toMatchObject({ sellerHandle: 'zoe-p' })
  // the next seller with this name
  const other = await open.shop.join({ firstName: 'Zoe' })
  await db()
    .insertInto('products')
    .values({ ...draft, sellerId: other.id })
    .execute()
  expect(await handleOf(other)).toBe('zoe-p-2')
  for (const [firstName, handle] of [
    ['', /^p$|^seller-/],
    ['李', /^seller-/],
    ['Former Member', /^former-member-p$/],
  ] as const) {
    const person = await open.shop.join({ firstName })
    await db()
      .insertInto('products')
      .values({ ...draft, sellerId: person.id })
      .execute()
    expect(await handleOf(person)).toMatch(handle)
  }
})

test('simultaneous first listings get different addresses', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => open.shop.join({ firstName: 'Same' })))
  const add = ({ id }: Person) =>
    db()
      .insertInto('products')
      .values({ sellerId: id, categoryId: 'ebooks', title: 'One', priceCents: 100, delivery: 'code' })
      .execute()
  await Promise.all(people.flatMap((person) => [add(person), add(person)]))
  const handles = await Promise.all(people.map(handleOf))
  expect(new Set(handles).size).toBe(8)
})

test('lists only the products that the seller has on sale, in any order and across pages', async () => {
  const { seller, product } = await listed({ title: 'Middle', price: '5.00' })
  await listed({ title: 'Foreign', price: '1.00' })
  for (const [title, priceCents, isActive] of [
    ['Cheap', 100, true],
    ['Dear', 900, true],
    ['Hidden', 300, false],
  ] as const)
    await db()
      .insertInto('products')
      .values({ sellerId: seller.id, categoryId: 'ebooks', title, priceCents, isActive, delivery: 'code' })
      .execute()
  const handle = await handleOf(seller)
  await expect.poll(() => titlesOf(handle, 'price-asc')).toEqual(['Cheap', 'Middle', 'Dear'])
  expect(await titlesOf(handle, 'price-desc')).toEqual(['Dear', 'Middle', 'Cheap'])
  expect(await titlesOf(handle)).toHaveLength(3)
  const first = await fetch(`${open.shop.url}/api/products?seller=${handle}&sort=title&limit=2`)
  expect([first.headers.get('x-total-count'), (await first.json()) as object]).toMatchObject([
    '3',
    [{ title: 'Cheap' }, {}],
  ])
  const next = /<(.+)>/.exec(first.headers.get('link')!)![1]!
  expect(await (await fetch(open.shop.url + next)).json()).toMatchObject([{ title: 'Middle' }])
  const rate = (stars: string, samples: number) =>
    open.shop.database.pool.query(`INSERT INTO ratings (product_id, ${stars}, samples) VALUES ($1, 3, $2)`, [
      product.id,
      samples,
    ])
  await rate('stars_4', 1)
  await db()
    .insertInto('storefronts')
    .values({ userId: seller.id, handle })
    .onConflict((c) => c.column('userId').doUpdateSet({ bio: 'x' }))
    .execute()
  await expect.poll(() => seen(handle)).toMatchObject({ products: 3, rated: { stars: 4, reviews: 3, samples: 1 } })
  expect((await titlesOf(handle, 'rating'))[0]).toBe('Middle')
})

test('a member can change the address, and former addresses still lead to the page', async () => {
  const { seller } = await listed()
  const before = await handleOf(seller)
  const bio = 'I bind books.\n\n<b>By hand.</b>'
  expect(await seller.call(saveStorefront, { handle: 'Sallys-Books', bio })).toMatchObject({ handle: 'sallys-books' })
  await expect.poll(() => seen(before)).toMatchObject({ handle: 'sallys-books', bio })
  expect(await titlesOf(before)).toEqual(await titlesOf('sallys-books'))
  // the former address stays reserved for its member
  const bob = await open.shop.join()
  for (const handle of [before, 'sallys-books', 'admin', 'support'])
    await expect(bob.call(saveStorefront, { handle, bio: '' })).rejects.toMatchObject({
      ...{ code: 'handle_taken', details: { field: 'handle' } },
    })
  expect(await bob.call(getStorefront, {})).toEqual({ ...PLAIN, handle: null, bio: '', isOpen: false })
  await seller.call(saveStorefront, { handle: before, bio })
  await expect.poll(() => seen('sallys-books')).toMatchObject({ handle: before })
  for (const handle of ['ab', 'a'.repeat(31), 'two--hyphens', '-front', 'under_score', 'döner', 'a b', ''])
    await expect(bob.call(saveStorefront, { handle, bio: '' })).rejects.toMatchObject({ status: 400 })
  await expect(bob.call(saveStorefront, { handle: 'fine', bio: 'x'.repeat(501) })).rejects.toMatchObject({
    status: 400,
  })
})

test('a member can reserve at most ten addresses', async () => {
  const ada = await open.shop.join()
  for (let n = 0; n < 10; n++) await ada.call(saveStorefront, { handle: `number-${n}`, bio: '' })
  await expect(ada.call(saveStorefront, { handle: 'number-10', bio: '' })).rejects.toMatchObject({
    code: 'handles_used',
  })
  expect(await handleOf(ada)).toBe('number-9')
  const bob = await open.shop.join()
  await bob.call(saveStorefront, { handle: 'number-10', bio: '' })
})

test('returns 404 before the first product, for an unknown address and for an erased seller', async () => {
  const ada = await open.shop.join()
  await ada.call(saveStorefront, { handle: 'not-yet', bio: 'Soon.' })
  for (const handle of ['not-yet', 'nobody-has-this', 'admin', 'x', '%00']) expect(await seen(handle)).toBe(404)
  const { seller } = await listed({ title: 'Of the gone' })
  const handle = await handleOf(seller)
  await seller.call(saveStorefront, { handle, bio: 'My secret words' })
  await db()
    .updateTable('users')
    .set({ eraseAt: new Date(0) })
    .where('id', '=', seller.id)
    .execute()
  await eraseDueAccounts(db())
  await expect.poll(() => seen(handle)).toBe(404)
  const left = await sql<{ n: number }>`SELECT (SELECT count(*) FROM storefronts WHERE user_id = ${seller.id}::uuid)
    + (SELECT count(*) FROM seller_handles WHERE user_id = ${seller.id}::uuid) AS n`.execute(db())
  expect(Number(left.rows[0]!.n)).toBe(0)
})

test('the page of a suspended seller has nothing on sale and hides bio and picture', async () => {
  const { seller } = await listed({ title: 'Stopped' })
  const staff = await open.shop.join({ role: 'support' })
  const handle = await handleOf(seller)
  await seller.call(saveStorefront, { handle, bio: 'Buy from me elsewhere' })
  await db().updateTable('users').set({ image: '/images/x/320.webp' }).where('id', '=', seller.id).execute()
  await expect.poll(() => seen(handle)).toMatchObject({ products: 1, avatarUrl: '/images/x/320.webp' })
  await staff.call(suspendSeller, { id: seller.id, reason: 'No rights.', days: null })
  await expect.poll(() => seen(handle)).toMatchObject({ products: 0, bio: '', avatarUrl: null })
  expect(await titlesOf(handle)).toEqual([])
  await staff.call(liftSuspension, { id: seller.id })
  await expect.poll(() => seen(handle)).toMatchObject({ products: 1, bio: 'Buy from me elsewhere' })
})

test('a changed name or picture updates the cached page', async () => {
  const { seller } = await listed()
  const handle = await handleOf(seller)
  await expect.poll(() => seen(handle)).toMatchObject({ name: 'Sally P.', avatarUrl: null })
  await seller.call(saveProfile, { firstName: 'Sarah', lastName: 'Lee', pictureURL: null })
  await expect.poll(() => seen(handle)).toMatchObject({ name: 'Sarah L.', handle })
  await db().updateTable('users').set({ image: '/images/y/320.webp' }).where('id', '=', seller.id).execute()
  await expect.poll(() => seen(handle)).toMatchObject({ avatarUrl: '/images/y/320.webp' })
})

test('paints the initials of a seller for link previews', async () => {
  const { seller } = await listed()
  const handle = await handleOf(seller)
  const answer = await fetch(`${open.shop.url}/images/sellers/${handle}.jpg`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 1200, height: 630 })
  for (const file of ['nobody-has-this.jpg', '..%2f..%2fetc', 'x'])
    expect((await fetch(`${open.shop.url}/images/sellers/${file}`)).status).toBe(404)
})
