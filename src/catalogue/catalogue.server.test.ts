// Long, because one running store serves the tests of all reads, writes and files of the catalogue.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { send } from '../kit/call.ts'
// Like the whole server, the settings load zod's English messages.
import '../kit/config.server.ts'
import { type Person, type Served, startServed, upload } from '../../test/served.ts'
import { sweepUploads } from '../uploads/sweep.server.ts'
import { uploadRoutes } from '../uploads/uploads.server.ts'
import { createProduct, getProduct, listCategories, setProductFiles } from './catalogue.contract.ts'
import { catalogueRoutes, findBuyable } from './catalogue.server.ts'
import { asSeenBy } from './owner.rules.ts'

const config = { maxFileBytes: 1024 * 1024, publicUrl: undefined }
let shop: Served
let sam: Person
let eve: Person
let admin: Person
let image: Buffer

beforeAll(async () => {
  shop = await startServed((storage) => [
    ...uploadRoutes({ storage, secret: 'x'.repeat(32), config, publicUrl: undefined }),
    ...catalogueRoutes({ storage, config }),
  ])
  image = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#2740b5' } })
    .png()
    .toBuffer()
})
afterAll(() => shop.stop())
beforeEach(async () => {
  sam = await shop.addPerson({ firstName: 'Samira', lastName: 'Okafor' })
  eve = await shop.addPerson()
  admin = await shop.addPerson({ isAdmin: true })
})

const as = (person?: Person, base = shop.url) => ({
  base,
  checkReply: true,
  ...(person && { headers: { cookie: person.cookie } }),
})
const journal = { title: 'Sourdough Journal', description: 'Thirty days.', price: '8.5', categoryId: 'ebooks' }
const add = (person: Person, given = journal) => send(createProduct, given, as(person))
const setFiles = (person: Person, id: string, urls: { imageURL?: string | null; digitalFileURL?: string | null }) =>
  send(setProductFiles, { id, ...urls }, as(person))
const see = (id: string, person?: Person) => send(getProduct, { id }, as(person))
const rowOf = (id: string) => shop.db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const objectOf = (url: string) =>
  shop.db.selectFrom('objects').selectAll().where('id', '=', idOf(url)).executeTakeFirstOrThrow()
const idOf = (url: string) => /objects\/([0-9a-f-]+)/.exec(url)![1]!
const versionsOf = (id: string) =>
  shop.db.selectFrom('productFiles').selectAll().where('productId', '=', id).orderBy('createdAt').execute()

test('lists a product once it has a file; before, only its owner and admins see it', async () => {
  const product = await add(sam)
  expect(product).toMatchObject({
    title: 'Sourdough Journal',
    price: '8.50',
    imageUrl: null,
    isActive: false,
    isMine: true,
    sellerName: 'Samira O.',
    file: null,
    isFileMissing: true,
    unlistedReason: 'Add the file buyers will get. Your product goes on sale as soon as it is uploaded.',
  })
  await expect(see(product.id)).rejects.toMatchObject({ status: 404, message: '404: {"message":"Product not found"}' })
  await expect(see(product.id, eve)).rejects.toMatchObject({ status: 404 })
  expect(await see(product.id, sam)).toEqual(product)
  expect(await see(product.id, admin)).toMatchObject({ id: product.id, isMine: false })

  const listed = await setFiles(sam, product.id, {
    imageURL: await upload(shop, sam, image),
    digitalFileURL: await upload(shop, sam, Buffer.from('%PDF-1.7\n%%EOF')),
  })
  expect(listed).toMatchObject({
    isActive: true,
    isFileMissing: false,
    unlistedReason: null,
    file: { name: 'sourdough-journal.pdf', contentType: 'application/pdf', sizeBytes: 14 },
  })
  expect(listed.imageUrl).toMatch(/^\/images\/[0-9a-f-]{36}\/640\.webp$/)
  expect((await fetch(shop.url + listed.imageUrl)).status).toBe(200)
  // all callers get the same response; the browser compares the seller
  for (const person of [undefined, sam, eve])
    expect(await see(product.id, person)).toEqual({ ...listed, isMine: false, sellerId: sam.id })
  expect(asSeenBy(sam.id, await see(product.id, sam)).isMine).toBe(true)
  expect(asSeenBy(eve.id, await see(product.id, eve)).isMine).toBe(false)
  expect(asSeenBy(undefined, await see(product.id)).isMine).toBe(false)

  await shop.db
    .updateTable('products')
    .set({ isActive: false, withdrawnAt: new Date() })
    .where('id', '=', product.id)
    .execute()
  await expect.poll(() => see(product.id).catch((error) => error.status)).toBe(404)
  expect((await see(product.id, sam)).unlistedReason).toBe('You took it off sale.')
  await shop.db.updateTable('products').set({ deletedAt: new Date() }).where('id', '=', product.id).execute()
  await expect(see(product.id, sam)).rejects.toMatchObject({ status: 404 })
})

test('hides the file’s location and shows only a name and an opaque id of the seller', async () => {
  const { id } = await add(sam)
  const file = await upload(shop, sam, Buffer.from('secret bytes'), 'secret.txt')
  await setFiles(sam, id, { digitalFileURL: file })
  for (const path of [`/api/products/${id}`, '/api/products', '/api/products?q=sourdough']) {
    const text = await (await fetch(shop.url + path)).text()
    expect(text).toContain(id)
    expect(text).not.toContain(idOf(file))
    expect(text).not.toContain('example.com')
    expect(text).not.toContain('Okafor')
  }
})

test.each([
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada L.'],
  [{ firstName: ' Ada ' }, 'Ada'],
  [{ lastName: 'Lovelace' }, 'Primo seller'],
  [{}, 'Primo seller'],
])('shows the seller %j as %s', async (names, name) => {
  expect((await add(await shop.addPerson(names))).sellerName).toBe(name)
})

test.each([
  [{ title: '' }, 'Title is required'],
  [{ title: '   ' }, 'Title is required'],
  [{ title: undefined }, 'Title is required'],
  [{ price: '' }, 'Price is required'],
  [{ price: undefined }, 'Price is required'],
  [{ price: '0' }, 'Price must be a positive number'],
  [{ price: '0.00' }, 'Price must be a positive number'],
  [{ price: '-1' }, 'Price must be a positive number'],
  [{ price: 'abc' }, 'Price must be a positive number'],
  [{ price: '1e3' }, 'Write the price in digits with a point, like 12.50'],
  [{ price: '5,00' }, 'Write the price in digits with a point, like 12.50'],
  [{ price: '0.001' }, 'Price can have up to two decimals'],
  [{ price: '1.999' }, 'Price can have up to two decimals'],
  [{ price: '1234567' }, 'Price can be at most $999,999.99'],
  [{ price: 8.5 }, 'Price is required'],
  [{ categoryId: '' }, 'Category is required'],
  [{ categoryId: 'nothing-such' }, 'Category is required'],
  [{ sellerId: randomUUID() }, 'Unrecognized key'],
  [{ isActive: true }, 'Unrecognized key'],
  [{ featuredRank: 1 }, 'Unrecognized key'],
  [{ fileId: randomUUID() }, 'Unrecognized key'],
])('rejects a product with %j', async (change, message) => {
  const answer = await fetch(`${shop.url}/api/products`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: sam.cookie },
    body: JSON.stringify({ ...journal, ...change }),
  })
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { message: string }).message).toContain(message)
})

test('lets only members add products', async () => {
  await expect(send(createProduct, journal, as())).rejects.toMatchObject({ status: 401 })
})

test('stores a file with its name, its size and the type of its bytes', async () => {
  const { id } = await add(sam)
  const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
  const url = await upload(shop, sam, zip, 'My "Journal".docx')
  await setFiles(sam, id, { digitalFileURL: url })
  const [version] = await versionsOf(id)
  const { sha256 } = await objectOf(url)
  expect(version).toMatchObject({
    objectId: idOf(url),
    fileName: 'My _Journal_.docx',
    contentType: 'application/zip',
    sizeBytes: 22,
    sha256,
  })
  expect((await rowOf(id)).fileId).toBe(version!.id)
})

test('adds a new file as a new version and retains the old one', async () => {
  const { id } = await add(sam)
  const [first, second] = [await upload(shop, sam, Buffer.from('one')), await upload(shop, sam, Buffer.from('two'))]
  await setFiles(sam, id, { digitalFileURL: first })
  await setFiles(sam, id, { digitalFileURL: second })
  const versions = await versionsOf(id)
  expect(versions.map(({ objectId }) => objectId)).toEqual([idOf(first), idOf(second)])
  expect((await rowOf(id)).fileId).toBe(versions[1]!.id)
  await shop.db
    .updateTable('objects')
    .set({ createdAt: new Date(0), storedAt: new Date(0) })
    .where('userId', '=', sam.id)
    .execute()
  await sweepUploads(shop.db, shop.storage)
  const { stream } = await shop.storage.open(idOf(first))
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('one')
})

test('replaces the image; the next sweep deletes the old one', async () => {
  const { id } = await add(sam)
  const [first, second] = [await upload(shop, sam, image), await upload(shop, sam, image)]
  await setFiles(sam, id, { imageURL: first })
  const { imageUrl } = await setFiles(sam, id, { imageURL: second })
  expect(imageUrl).toBe(`/images/${idOf(second)}/640.webp`)
  expect((await fetch(`${shop.url}/images/${idOf(first)}/640.webp`)).status).toBe(404)
  await shop.db
    .updateTable('objects')
    .set({ createdAt: new Date(0), storedAt: new Date(0) })
    .where('userId', '=', sam.id)
    .execute()
  await sweepUploads(shop.db, shop.storage)
  const paths = (await shop.files()).map(({ parentPath, name }) => `${parentPath}/${name}`)
  expect(paths.some((path) => path.includes(idOf(first)))).toBe(false)
  expect(paths.filter((path) => path.includes(idOf(second)))).toHaveLength(2)
  expect((await fetch(shop.url + imageUrl)).status).toBe(200)
})

test('changes nothing when the same upload is bound again', async () => {
  const { id } = await add(sam)
  const urls = { imageURL: await upload(shop, sam, image), digitalFileURL: await upload(shop, sam, Buffer.from('x')) }
  const once = await setFiles(sam, id, urls)
  expect(await setFiles(sam, id, urls)).toEqual(once)
  expect(await setFiles(sam, id, { imageURL: once.imageUrl! })).toEqual(once)
  expect(await setFiles(sam, id, {})).toEqual(once)
  expect(await setFiles(sam, id, { imageURL: null, digitalFileURL: null })).toEqual(once)
  expect(await versionsOf(id)).toHaveLength(1)
})

test.each([
  'https://evil.example/objects/00000000-0000-4000-8000-000000000000',
  '//evil.example/objects/00000000-0000-4000-8000-000000000000',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  '/objects/../../etc/passwd',
  '/objects/00000000-0000-4000-8000-000000000000/../x',
  '/api/products',
  'javascript:alert(1)',
  'objects/00000000-0000-4000-8000-000000000000',
  '/objects/00000000-0000-4000-8000-00000000000G',
])('rejects %s as an upload', async (url) => {
  const { id } = await add(sam)
  await expect(setFiles(sam, id, { digitalFileURL: url })).rejects.toMatchObject({ status: 400 })
  await expect(setFiles(sam, id, { imageURL: url })).rejects.toMatchObject({ status: 400 })
})

test('returns not found for another member’s or unknown uploads and products', async () => {
  const [mine, theirs] = [await add(sam), await add(eve)]
  const upload1 = await upload(shop, eve, Buffer.from('hers'))
  await expect(setFiles(sam, mine.id, { digitalFileURL: upload1 })).rejects.toMatchObject({ status: 404 })
  await expect(setFiles(sam, theirs.id, { digitalFileURL: upload1 })).rejects.toMatchObject({ status: 404 })
  const own = await upload(shop, sam, Buffer.from('mine'))
  await expect(setFiles(sam, theirs.id, { digitalFileURL: own })).rejects.toMatchObject({ status: 404 })
  await expect(setFiles(sam, randomUUID(), { digitalFileURL: own })).rejects.toMatchObject({ status: 404 })
  await expect(setFiles(sam, mine.id, { digitalFileURL: `/objects/${randomUUID()}` })).rejects.toMatchObject({
    status: 404,
  })
  for (const id of [mine.id, theirs.id]) expect((await rowOf(id)).fileId).toBe(null)
  expect((await objectOf(own)).status).toBe('stored')
})

test('lets staff change a seller’s files after step-up and logs it', async () => {
  const { id } = await add(eve)
  const digitalFileURL = await upload(shop, admin, Buffer.from('x'))
  await expect(setFiles(admin, id, { digitalFileURL })).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
  expect((await rowOf(id)).fileId).toBe(null)
  const proven = { ...admin, cookie: `${admin.cookie}; proven` }
  expect((await setFiles(proven, id, { digitalFileURL })).isActive).toBe(true)
  const acts = await shop.db
    .selectFrom('audit')
    .select(['actorId', 'act', 'details'])
    .where('subjectId', '=', id)
    .execute()
  expect(acts).toEqual([{ actorId: admin.id, act: 'product.files', details: { what: 'file' } }])
})

test('rejects a second use of an upload', async () => {
  const [one, two] = [await add(sam), await add(sam)]
  const url = await upload(shop, sam, image)
  await expect(setFiles(sam, one.id, { imageURL: url, digitalFileURL: url })).rejects.toMatchObject({ status: 409 })
  await setFiles(sam, one.id, { digitalFileURL: url })
  await expect(setFiles(sam, two.id, { digitalFileURL: url })).rejects.toMatchObject({ status: 409 })
  await expect(setFiles(sam, one.id, { imageURL: url })).rejects.toMatchObject({ status: 409 })
})

test('rejects an invalid image and changes nothing', async () => {
  const { id } = await add(sam)
  const svg = await upload(shop, sam, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  const broken = await upload(shop, sam, Buffer.from('GIF89a<script>alert(1)</script>'))
  const file = await upload(shop, sam, Buffer.from('x'))
  await expect(setFiles(sam, id, { imageURL: svg, digitalFileURL: file })).rejects.toMatchObject({ status: 415 })
  await expect(setFiles(sam, id, { imageURL: broken, digitalFileURL: file })).rejects.toMatchObject({ status: 400 })
  expect(await rowOf(id)).toMatchObject({ imageObjectId: null, fileId: null })
  for (const url of [svg, broken, file]) expect((await objectOf(url)).status).toBe('stored')
  expect((await setFiles(sam, id, { digitalFileURL: file })).isActive).toBe(true)
})

test('rejects an upload whose bytes are missing or truncated', async () => {
  const { id } = await add(sam)
  const issued = `/objects/${randomUUID()}`
  await shop.db
    .insertInto('objects')
    .values({ id: idOf(issued), userId: sam.id, expiresAt: new Date() })
    .execute()
  await expect(setFiles(sam, id, { digitalFileURL: issued })).rejects.toMatchObject({ status: 409 })
  const lost = await upload(shop, sam, Buffer.from('lost'))
  await shop.storage.remove(idOf(lost))
  await expect(setFiles(sam, id, { digitalFileURL: lost })).rejects.toMatchObject({ status: 409 })
  const cut = await upload(shop, sam, Buffer.from('longer'))
  await shop.db.updateTable('objects').set({ sizeBytes: 100 }).where('id', '=', idOf(cut)).execute()
  await expect(setFiles(sam, id, { digitalFileURL: cut })).rejects.toMatchObject({ status: 409 })
  expect((await rowOf(id)).fileId).toBe(null)
})

test('stores concurrent files as versions and sells one of them', async () => {
  const { id } = await add(sam)
  const urls = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => upload(shop, sam, Buffer.from(text)).catch(() => null)),
  )
  const good = urls.filter((url) => url !== null)
  await Promise.all([...good, ...good].map((digitalFileURL) => setFiles(sam, id, { digitalFileURL }).catch(() => null)))
  const versions = await versionsOf(id)
  expect(versions.map(({ objectId }) => objectId).sort()).toEqual(good.map(idOf).sort())
  expect(versions.map((version) => version.id)).toContain((await rowOf(id)).fileId)
  for (const url of good) expect((await objectOf(url)).status).toBe('bound')
})

test('stores one of two concurrent images and discards the other', async () => {
  const { id } = await add(sam)
  const urls = [await upload(shop, sam, image), await upload(shop, sam, image)]
  const both = await shop.db.transaction().execute(async (tx) => {
    // both requests must have made their images and wait for the product
    await tx.selectFrom('products').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const setting = urls.map((imageURL) => setFiles(sam, id, { imageURL }))
    const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await shop.pool.query(waiting)).rows[0].n, { timeout: 20_000 }).toBe(2)
    return setting
  })
  await Promise.all(both)
  const kept = (await rowOf(id)).imageObjectId
  for (const url of urls) expect((await objectOf(url)).status).toBe(idOf(url) === kept ? 'bound' : 'stored')
})

test('binds an upload to one of two products that claim it concurrently', async () => {
  const [one, two] = [await add(sam), await add(sam)]
  const digitalFileURL = await upload(shop, sam, Buffer.from('x'))
  const outcomes = await Promise.allSettled([one, two].map(({ id }) => setFiles(sam, id, { digitalFileURL })))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([...(await versionsOf(one.id)), ...(await versionsOf(two.id))]).toHaveLength(1)
})

test('lists categories in the store’s order with their product counts', async () => {
  const before = await send(listCategories, {}, as())
  expect(before.map(({ name }) => name)).toEqual([
    'Gift Cards',
    'Crypto',
    'Prepaid Visa Cards',
    'E-Books',
    'Online Courses',
    'Software',
    'Audio',
  ])
  const count = (all: typeof before) => all.find(({ id }) => id === 'software')!.productCount
  const { id } = await add(sam, { ...journal, categoryId: 'software' })
  expect(count(await send(listCategories, {}, as()))).toBe(count(before))
  await setFiles(sam, id, { digitalFileURL: await upload(shop, sam, Buffer.from('x')) })
  await expect.poll(async () => count(await send(listCategories, {}, as()))).toBe(count(before) + 1)
})

test('updates every node after a change', async () => {
  const { id } = await add(sam)
  await setFiles(sam, id, { digitalFileURL: await upload(shop, sam, Buffer.from('x')) })
  const titles = () =>
    Promise.all(
      [shop.url, shop.otherUrl].map(async (base) => (await send(getProduct, { id }, as(undefined, base))).title),
    )
  await expect.poll(titles).toEqual(['Sourdough Journal', 'Sourdough Journal'])
  const { rowCount } = await shop.pool.query('UPDATE products SET title = $1 WHERE id = $2', ['Rye Journal', id])
  expect(rowCount).toBe(1)
  await expect.poll(titles).toEqual(['Rye Journal', 'Rye Journal'])
})

test('compresses and caches a list and returns 304 for a repeat', async () => {
  const list = await fetch(`${shop.url}/api/products`, { headers: { 'accept-encoding': 'br' } })
  expect(list.headers.get('content-encoding')).toBe('br')
  expect(list.headers.get('cache-control')).toBe('public, no-cache')
  const again = await fetch(`${shop.url}/api/products`, { headers: { 'if-none-match': list.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test('locks the products of an order by id', async () => {
  const [one, two, three] = [await add(sam), await add(sam), await add(sam)]
  await setFiles(sam, two.id, { digitalFileURL: await upload(shop, sam, Buffer.from('x')) })
  await shop.db.updateTable('products').set({ deletedAt: new Date() }).where('id', '=', three.id).execute()
  await shop.db.transaction().execute(async (tx) => {
    const found = await findBuyable(tx, [two.id, one.id, three.id, randomUUID()])
    const { fileId } = await rowOf(two.id)
    const rest = {
      title: 'Sourdough Journal',
      priceCents: 850,
      sellerId: sam.id,
      categoryId: 'ebooks',
      delivery: 'file',
    }
    const expected = [
      { ...rest, id: one.id, fileId: null, isOnSale: false },
      { ...rest, id: two.id, fileId, isOnSale: true },
    ]
    expect(found).toMatchObject(expected.sort((a, b) => (a.id < b.id ? -1 : 1)))
    await expect(
      shop.pool.query('SELECT id FROM products WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [two.id]),
    ).rejects.toThrow('could not obtain lock')
  })
  expect(await shop.db.transaction().execute((tx) => findBuyable(tx, []))).toEqual([])
})
