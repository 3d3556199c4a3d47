import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { readReply } from '../../kit/call.ts'
import { editProduct, getOwnProduct, listOwnProducts } from '../selling.contract.ts'
import {
  EXPORT_PATH,
  getImport,
  Import,
  IMPORTS_PATH,
  listImportRows,
  MAX_BYTES,
  startImport,
  undoImport,
} from './csv.contract.ts'
import { importJobs, makeDrafts } from './import.server.ts'

const open = openShopForTests()
const db = () => open.shop.database.db

async function send({ cookie }: Person, file: string | Buffer, query = '?name=goods.csv'): Promise<Import> {
  const headers = { cookie, 'content-type': 'text/csv' }
  const answer = await fetch(open.shop.url + IMPORTS_PATH + query, { method: 'POST', headers, body: file as string })
  return Import.parse(await readReply(answer))
}

/** Runs the job. */
const run = (person: Person, { id }: Import) => makeDrafts(db(), id, person.id)

async function start(person: Person, found: Import, skipsBad = false): Promise<Import> {
  await person.call(startImport, { id: found.id, skipsBad })
  await run(person, found)
  return person.call(getImport, { id: found.id })
}

const titlesOf = async (person: Person) =>
  (await person.call(listOwnProducts, { sort: 'title', limit: 200 })).map(({ title, status }) => `${title}: ${status}`)

const table = (count: number, from = 0) =>
  `id,title,description,price,category\n${Array.from({ length: count }, (_, i) => `p${i + from},Thing ${i + from},"Of *${i}*, said",${1 + (i % 50)}.50,E-Books\n`).join('')}`

const BAD = 'id,title,price,category\na,Good,1.00,ebooks\nb,Bad,free,ebooks\nc,,2.00,ebooks\nd,Also good,3.00,Audio\n'

test('shows a preview of the file and imports its rows as drafts once', async () => {
  const ada = await open.shop.join()
  const found = await send(ada, table(3))
  expect(found).toMatchObject({ fileName: 'goods.csv', format: 'primo', state: 'preview', ready: 3, bad: 0, known: 0 })
  expect(await titlesOf(ada)).toEqual([])
  const rows = await ada.call(listImportRows, { id: found.id, state: 'ready' })
  expect(rows[0]).toEqual({
    ...{ number: 2, title: 'Thing 0', price: '1.50', suggested: null, categoryId: 'ebooks' },
    ...{ problem: null, note: null },
  })
  expect(await start(ada, found)).toMatchObject({ state: 'done', made: 3 })
  expect(await titlesOf(ada)).toEqual(['Thing 0: draft', 'Thing 1: draft', 'Thing 2: draft'])
  // in the order of the file
  const newest = await ada.call(listOwnProducts, {})
  expect(newest.map(({ title }) => title)).toEqual(['Thing 0', 'Thing 1', 'Thing 2'])
  await expect(ada.call(startImport, { id: found.id, skipsBad: true })).rejects.toMatchObject({ code: 'started' })
  // the job may run twice
  await run(ada, found)
  const again = await send(ada, table(4))
  expect(again).toMatchObject({ ready: 1, known: 3 })
  await start(ada, again)
  expect(await titlesOf(ada)).toHaveLength(4)
  await expect(ada.call(startImport, { id: (await send(ada, table(4))).id, skipsBad: true })).rejects.toMatchObject({
    code: 'nothing_new',
  })
  // another seller can import the same keys
  expect(await send(await open.shop.join(), table(4))).toMatchObject({ ready: 4, known: 0 })
})

test('one bad row imports nothing unless the seller skips it', async () => {
  const ada = await open.shop.join()
  const found = await send(ada, BAD)
  expect(found).toMatchObject({ ready: 2, bad: 2 })
  const bad = await ada.call(listImportRows, { id: found.id, state: 'bad' })
  expect(bad.map(({ number, title, problem }) => [number, title, problem])).toEqual([
    [3, 'Bad', 'price: Price must be a positive number'],
    [4, '', 'title: Title is required'],
  ])
  expect(await ada.call(listImportRows, { id: found.id, state: 'bad', after: 3 })).toHaveLength(1)
  await expect(ada.call(startImport, { id: found.id, skipsBad: false })).rejects.toMatchObject({ code: 'bad_rows' })
  await run(ada, found)
  expect(await titlesOf(ada)).toEqual([])
  expect(await start(ada, found, true)).toMatchObject({ state: 'done', made: 2 })
  expect(await titlesOf(ada)).toEqual(['Also good: draft', 'Good: draft'])
})

test('lists Shopify products that lose variants, and accepts free prices and minimum prices', async () => {
  const ada = await open.shop.join()
  const file = [
    'Handle,Title,Body (HTML),Type,Option1 Name,Option1 Value,Variant Price',
    'kit,Kit,x,Audio,Size,Small,10.00',
    'kit,,,,,Large,30.00',
    'pay,Pay,x,Audio,Title,Default Title,$5+',
    'any,Any,x,Audio,Title,Default Title,$0+',
    'free,Free,x,Audio,Title,Default Title,0.00',
  ]
  const found = await send(ada, file.join('\n'))
  expect(found).toMatchObject({ ready: 4, noted: 1, bad: 0 })
  expect(await ada.call(listImportRows, { id: found.id, state: 'noted' })).toMatchObject([
    { title: 'Kit', price: '10.00', note: expect.stringContaining('Left out: “Large” at $30.00') as string },
  ])
  expect(await ada.call(listImportRows, { id: found.id, state: 'ready', after: 2 })).toMatchObject([
    { title: 'Pay', price: '5.00', suggested: '5.00', note: null },
    { title: 'Any', price: '0.00', suggested: '1.00' },
    { title: 'Free', price: '0.00', suggested: null },
  ])
  expect(await start(ada, found)).toMatchObject({ state: 'done', made: 4 })
  const own = await ada.call(listOwnProducts, { sort: 'title' })
  expect(own.map(({ price }) => price)).toEqual(['0.00', '0.00', '10.00', '5.00'])
})

test('a failed import creates no product, is shown as failed and can be started again', async () => {
  const ada = await open.shop.join()
  const { pool } = open.shop.database
  const found = await send(ada, table(600))
  await ada.call(startImport, { id: found.id, skipsBad: false })
  const last = [found.id, 601]
  await pool.query(`UPDATE product_import_rows SET category_id = 'gone' WHERE import_id = $1 AND number = $2`, last)
  await run(ada, found)
  expect(await ada.call(getImport, { id: found.id })).toMatchObject({ state: 'failed', made: 0 })
  expect(await titlesOf(ada)).toEqual([])
  await pool.query(`UPDATE product_import_rows SET category_id = 'audio' WHERE import_id = $1 AND number = $2`, last)
  expect(await start(ada, found)).toMatchObject({ state: 'done', made: 600 })
})

test('two imports of one file at the same time make each product once', async () => {
  const ada = await open.shop.join()
  const both = [await send(ada, table(40)), await send(ada, table(40))]
  for (const { id } of both) await ada.call(startImport, { id, skipsBad: false })
  await Promise.all(both.map((found) => run(ada, found)))
  expect(await titlesOf(ada)).toHaveLength(40)
  const made = await Promise.all(both.map(({ id }) => ada.call(getImport, { id })))
  expect(made.map((one) => one.made).toSorted((a, b) => a - b)).toEqual([0, 40])
})

test('Undo deletes the drafts of one import except changed drafts', async () => {
  const ada = await open.shop.join()
  await start(ada, await send(ada, table(2, 100)))
  const found = await send(ada, table(3))
  await expect(ada.call(undoImport, { id: found.id })).rejects.toMatchObject({ code: 'not_done' })
  await start(ada, found)
  const [first] = await ada.call(listOwnProducts, { q: 'Thing 0' })
  const { version, categoryId } = await ada.call(getOwnProduct, { id: first!.id })
  await ada.call(editProduct, { id: first!.id, version, title: 'Mine', price: '2.00', categoryId })
  expect(await ada.call(undoImport, { id: found.id })).toEqual({ deleted: 2, kept: 1 })
  expect(await titlesOf(ada)).toEqual(['Mine: draft', 'Thing 100: draft', 'Thing 101: draft'])
  await expect(ada.call(undoImport, { id: found.id })).rejects.toMatchObject({ code: 'not_done' })
  // deleted drafts can be imported again
  expect(await send(ada, table(3))).toMatchObject({ ready: 2, known: 1 })
})

test('recognises the products in an export of their seller and imports them as drafts for another seller', async () => {
  const product = await addProduct(open.shop, { title: '=2+3 "quoted"; and, so on', price: '12.50' })
  const { sellerId, email } = await db()
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'sellerId')
    .select(['sellerId', 'email'])
    .where('products.id', '=', product.id)
    .executeTakeFirstOrThrow()
  await db().updateTable('products').set({ description: '- a\n- b\n\n"c"' }).where('id', '=', product.id).execute()
  const cookie = await open.shop.identity.createSession(email)
  const drafts = Array.from({ length: 1200 }, (_, i) => ({
    sellerId,
    categoryId: 'audio',
    title: `Draft ${i}`,
    priceCents: 100,
    isActive: false,
  }))
  await db().insertInto('products').values(drafts).execute()
  const answer = await fetch(open.shop.url + EXPORT_PATH, { headers: { cookie } })
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="products.csv"')
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes.toString()).toContain(
    `${product.id},"'=2+3 ""quoted""; and, so on","'- a\n- b\n\n""c""",12.50,E-Books,listed,,0,`,
  )
  const owner = { id: sellerId, email, cookie } as Person
  expect(await send(owner, bytes)).toMatchObject({ known: 1201, ready: 0, bad: 0, columnsLeft: [] })
  // a row with a mistake is bad, even if its product exists
  const mistaken = bytes.toString().replace(',12.50,', ',abc,')
  expect(await send(owner, mistaken)).toMatchObject({ known: 1200, ready: 0, bad: 1 })
  await db().updateTable('products').set({ deletedAt: new Date() }).where('id', '=', product.id).execute()
  expect(await send(owner, bytes)).toMatchObject({ known: 1200, ready: 1, bad: 0 })
  const bob = await open.shop.join()
  const found = await send(bob, bytes)
  expect(found).toMatchObject({ ready: 1201, known: 0, bad: 0 })
  await start(bob, found)
  const [copy] = await bob.call(listOwnProducts, { q: 'quoted' })
  expect(copy).toMatchObject({
    title: '=2+3 "quoted"; and, so on',
    price: '12.50',
    categoryId: 'ebooks',
    status: 'draft',
  })
  expect(await bob.call(getOwnProduct, { id: copy!.id })).toMatchObject({ description: '- a\n- b\n\n"c"' })
  expect(await (await fetch(open.shop.url + EXPORT_PATH, { headers: { cookie: bob.cookie } })).text()).not.toContain(
    product.id,
  )
})

test('rejects files that are not product tables and stores nothing', async () => {
  const ada = await open.shop.join()
  const header = 'id,title,price,category\n'
  for (const [file, status, code] of [
    ['', 400, 'empty'],
    [header, 400, 'empty'],
    ['Name,Email\na,b\n', 400, 'unknown_format'],
    [`"id,title,price,category\na,b,1,ebooks\n`, 400, 'unreadable'],
    ['Purchase ID,Item Name,Buyer Name\n1,a,b\n', 400, 'unknown_format'],
    [Buffer.from([0xff, 0xfe, 0x61, 0]), 400, 'unreadable'],
    [table(10_001), 413, 'too_many'],
    [Buffer.alloc(MAX_BYTES + 1, 'a'), 413, 'too_large'],
  ] as const)
    await expect(send(ada, file as string)).rejects.toMatchObject({ status, code })
  await expect(send(ada, table(1), '?category=none')).rejects.toMatchObject({ status: 400 })
  expect(await send(ada, 'title,price\nA,1\n', '?category=audio')).toMatchObject({ ready: 1 })
  const left = await db().selectFrom('productImports').select('state').where('sellerId', '=', ada.id).execute()
  expect(left).toEqual([{ state: 'preview' }])
})

test('an import is private to its seller and expires after a day unless it is running or done', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const [looked, done, running] = [
    await send(ada, table(1)),
    await send(ada, table(2, 5)),
    await send(ada, table(1, 9)),
  ]
  await start(ada, done)
  await ada.call(startImport, { id: running.id, skipsBad: false })
  for (const [line, input] of [
    [getImport, {}],
    [listImportRows, { state: 'ready' }],
    [startImport, { skipsBad: true }],
    [undoImport, {}],
  ] as const)
    await expect(bob.call(line, { id: looked.id, ...input } as never)).rejects.toMatchObject({ status: 404 })
  await makeDrafts(db(), looked.id, bob.id)
  expect(await titlesOf(bob)).toEqual([])
  await sql`UPDATE product_imports SET created_at = now() - interval '2 days'`.execute(db())
  await importJobs(open.shop.database)
    .find(({ name }) => name === 'sweep_imports')!
    .run({})
  await expect(ada.call(getImport, { id: looked.id })).rejects.toMatchObject({ status: 404 })
  expect(await ada.call(getImport, { id: done.id })).toMatchObject({ state: 'done' })
  expect(await ada.call(getImport, { id: running.id })).toMatchObject({ state: 'running' })
})

test('reads and imports 10,000 rows within the limits of time and memory', { timeout: 120_000 }, async () => {
  const ada = await open.shop.join()
  const file = table(10_000)
  const found = await send(ada, file)
  expect(found).toMatchObject({ ready: 10_000, bad: 0 })
  await ada.call(startImport, { id: found.id, skipsBad: false })
  await run(ada, found)
  expect(await ada.call(getImport, { id: found.id })).toMatchObject({ state: 'done', made: 10_000 })
})
