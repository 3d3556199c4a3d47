import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { send } from '../../kit/call.ts'
// Like the whole server, the settings load zod's English messages.
import '../../kit/config.server.ts'
import { type Person, type Served, startServed, upload } from '../../../test/served.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { sweepUploads } from '../../uploads/sweep.server.ts'
import { uploadRoutes } from '../../uploads/uploads.server.ts'
import { createProduct, getProduct, setProductFiles } from '../catalogue.contract.ts'
import { catalogueRoutes } from '../catalogue.server.ts'
import type { KindName } from '../kinds.rules.ts'
import { createFileDraft } from './fileDraft.contract.ts'
import {
  type Entered,
  listUnfinished,
  MAX_UNFINISHED,
  removeUnfinished,
  saveUnfinished,
} from './unfinished.contract.ts'
import { forgetUnfinishedOf } from './unfinished.server.ts'
import * as statements from './unfinished.statements.server.ts'

const config = { maxFileBytes: 1024 * 1024, publicUrl: undefined }
let shop: Served
let ada: Person
let eve: Person

beforeAll(async () => {
  shop = await startServed((storage) => [
    ...uploadRoutes({ storage, secret: 'x'.repeat(32), config, publicUrl: undefined }),
    ...catalogueRoutes({ storage, config }),
  ])
})
afterAll(() => shop.stop())
beforeEach(async () => {
  ada = await shop.addPerson()
  eve = await shop.addPerson()
})

const as = (person: Person) => ({ base: shop.url, checkReply: true, headers: { cookie: person.cookie } })
const entered: Entered = {
  ...{ title: 'A book', description: '', price: 'four', categoryId: '', delivery: null },
  ...{ image: null, file: null, more: [] },
}
const save = (person: Person, id: string, change: Partial<Entered> = {}) =>
  send(saveUnfinished, { id, entered: { ...entered, ...change } }, as(person))
const list = (person: Person) => send(listUnfinished, {}, as(person))
const product = { title: 'Terms', description: '', price: '4', categoryId: 'ebooks' }

test('saves invalid values too, and only their member reads, changes and deletes them', async () => {
  const id = randomUUID()
  await save(ada, id)
  await save(ada, id, { title: 'A better book', delivery: 'course' })
  expect(await list(ada)).toMatchObject([
    { id, entered: { title: 'A better book', price: 'four', delivery: 'course' } },
  ])
  expect(await list(eve)).toEqual([])
  await expect(save(eve, id, { title: 'Mine' })).rejects.toMatchObject({ status: 409 })
  await send(removeUnfinished, { id }, as(eve))
  expect(await list(ada)).toMatchObject([{ entered: { title: 'A better book' } }])
  await send(removeUnfinished, { id }, as(ada))
  await send(removeUnfinished, { id }, as(ada))
  expect(await list(ada)).toEqual([])
})

test('limits the unfinished products of a member, but not their changes', async () => {
  const ids = Array.from({ length: MAX_UNFINISHED }, () => randomUUID())
  for (const id of ids) await save(ada, id)
  await expect(save(ada, randomUUID())).rejects.toMatchObject({ status: 409, code: 'too_many' })
  await save(ada, ids[0]!, { title: 'Changed' })
  expect((await list(ada))[0]).toMatchObject({ entered: { title: 'Changed' } })
  await inTransaction(shop.db, (tx) => forgetUnfinishedOf(tx, ada.id))
  expect(await list(ada)).toEqual([])
})

const textFile = (url: string, name = 'kept.txt') => ({ url, name, sizeBytes: 4 })

/** Runs the sweep as if all uploads had this age. Returns the number of remaining uploads of Ada. */
async function sweepAfter(hours: number): Promise<number> {
  await sql`UPDATE objects SET created_at = created_at - ${hours} * interval '1 hour', stored_at = stored_at - ${hours} * interval '1 hour',
    kept_until = kept_until - ${hours} * interval '1 hour' WHERE user_id = ${ada.id}`.execute(shop.db)
  await sweepUploads(shop.db, shop.storage)
  return (await shop.db.selectFrom('objects').select('id').where('userId', '=', ada.id).execute()).length
}
const DAY = 24

test('the sweep leaves the uploads of an unfinished product for 30 days', async () => {
  const [kept, lost] = [await upload(shop, ada, Buffer.from('kept')), await upload(shop, ada, Buffer.from('lost'))]
  await save(ada, randomUUID(), { more: [textFile(kept)] })
  expect(await sweepAfter(2 * DAY)).toBe(1)
  const { id } = await send(createProduct, product, as(ada))
  await expect(send(setProductFiles, { id, digitalFileURL: lost }, as(ada))).rejects.toMatchObject({ status: 404 })
  expect(await sweepAfter(27 * DAY)).toBe(1)
  expect(await sweepAfter(2 * DAY)).toBe(0)
})

test('the sweep removes uploads without an unfinished product after an hour, so that Undo works', async () => {
  const id = randomUUID()
  const [first, second] = [await upload(shop, ada, Buffer.from('one')), await upload(shop, ada, Buffer.from('two'))]
  await save(ada, id, { file: textFile(first) })
  await save(ada, id, { file: textFile(second) })
  await sweepAfter(2 * DAY)
  expect(await list(ada)).toMatchObject([{ entered: { file: { url: second } } }])
  await send(removeUnfinished, { id }, as(ada))
  expect(await sweepAfter(0)).toBe(1)
  await save(ada, id, { file: textFile(second) })
  expect(await sweepAfter(2)).toBe(1)
  await send(removeUnfinished, { id }, as(ada))
  expect(await sweepAfter(2)).toBe(0)
})

test('the sweep removes the uploads of an erased member', async () => {
  await save(ada, randomUUID(), { file: textFile(await upload(shop, ada, Buffer.from('hers'))) })
  await inTransaction(shop.db, (tx) => forgetUnfinishedOf(tx, ada.id))
  expect(await sweepAfter(2 * DAY)).toBe(0)
})

test('an unfinished product is listed without uploads that a product uses or that are deleted', async () => {
  const [used, free] = [await upload(shop, ada, Buffer.from('used')), await upload(shop, ada, Buffer.from('free'))]
  const gone = `/objects/${randomUUID()}`
  await save(ada, randomUUID(), { file: textFile(used), image: textFile(gone), more: [textFile(free)] })
  await send(createFileDraft, { ...product, digitalFileURL: used }, as(ada))
  expect(await list(ada)).toMatchObject([{ entered: { file: null, image: null, more: [{ url: free }] } }])
})

test('a foreign address is refused and saves nothing', async () => {
  const file = textFile('https://evil.example/book.pdf')
  await expect(save(ada, randomUUID(), { file })).rejects.toMatchObject({ status: 400 })
  expect(await list(ada)).toEqual([])
})

test('a save waits for another save of the member, so that they do not exceed the maximum', async () => {
  for (let i = 1; i < MAX_UNFINISHED; i++) await save(ada, randomUUID())
  const late = await inTransaction(shop.db, async (tx) => {
    await statements.lockUnfinished(tx, { userId: ada.id })
    await statements.saveUnfinished(tx, { id: randomUUID(), userId: ada.id, entered, most: MAX_UNFINISHED })
    const started = Promise.allSettled([save(ada, randomUUID())])
    await pause(200)
    return { started }
  })
  expect(await late.started).toMatchObject([{ status: 'rejected', reason: { code: 'too_many' } }])
})

test('does not retain an upload of another member', async () => {
  const url = await upload(shop, eve, Buffer.from('hers'))
  await save(ada, randomUUID(), { file: { url, name: 'hers.txt', sizeBytes: 4 } })
  const [{ keptUntil } = { keptUntil: undefined }] = await shop.db
    .selectFrom('objects')
    .select('keptUntil')
    .where('userId', '=', eve.id)
    .execute()
  expect(keptUntil).toBeNull()
})

test('a draft of a file is sold after it is put on sale, and a refused file leaves no draft', async () => {
  const url = await upload(shop, ada, Buffer.from('a book'), 'book.txt')
  const { id } = await send(createFileDraft, { ...product, digitalFileURL: url }, as(ada))
  expect(await send(getProduct, { id }, as(ada))).toMatchObject({
    ...{ isActive: false, delivery: 'file', file: { name: 'book.txt' } },
  })
  const own = () => shop.db.selectFrom('products').select('id').where('sellerId', '=', ada.id).execute()
  const hers = await upload(shop, eve, Buffer.from('hers'))
  // a repeated call after a lost reply
  expect(await send(createFileDraft, { ...product, digitalFileURL: url }, as(ada))).toEqual({ id })
  for (const digitalFileURL of [hers, 'https://evil.example/book.pdf'])
    await expect(send(createFileDraft, { ...product, digitalFileURL }, as(ada))).rejects.toThrow(/^4\d\d/)
  expect(await own()).toEqual([{ id }])
})

test('a draft of many files goes on sale with its last file', async () => {
  const [first, last] = [await upload(shop, ada, Buffer.from('one')), await upload(shop, ada, Buffer.from('two'))]
  const { id, isActive } = await send(createProduct, { ...product, isDraft: true, delivery: 'file' }, as(ada))
  const bind = (url: string, putsOnSale?: true) =>
    send(setProductFiles, { id, digitalFileURL: url, isAnother: true, ...(putsOnSale && { putsOnSale }) }, as(ada))
  expect([isActive, (await bind(first)).isActive]).toEqual([false, false])
  expect(await bind(last, true)).toMatchObject({ isActive: true, isFileMissing: false })
})

test.each<[KindName | undefined, string, Partial<Record<'isOutOfStock' | 'isFileMissing', boolean>>]>([
  ['file', 'file', { isFileMissing: true, isOutOfStock: false }],
  ['license', 'license', { isFileMissing: false, isOutOfStock: false }],
  ['code', 'code', { isOutOfStock: true }],
  ['course', 'course', { isOutOfStock: true }],
  ['bundle', 'bundle', { isOutOfStock: true }],
  [undefined, 'code', { isOutOfStock: true }],
])('a product of the chosen kind %s sells as %s', async (delivery, kind, expected) => {
  const given = { ...product, categoryId: 'gift-cards', ...(delivery && { delivery }) }
  expect(await send(createProduct, given, as(ada))).toMatchObject({ delivery: kind, ...expected })
})

test('refuses a free product of codes and a bundle with a chosen price', async () => {
  const draft = { ...product, isDraft: true }
  await expect(
    send(createProduct, { ...draft, price: '0', suggested: '3', delivery: 'code' }, as(ada)),
  ).rejects.toMatchObject({ status: 409, code: 'free_file_only' })
  await expect(send(createProduct, { ...draft, suggested: '5', delivery: 'bundle' }, as(ada))).rejects.toMatchObject({
    status: 409,
    code: 'fixed_price_only',
  })
})
