import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { grantDownload } from '../files/files.contract.ts'
import { keepPlace } from '../reading/reading.contract.ts'
import { archiveOwned, checkKept, listOwnedFiles, unarchiveOwned } from './library.contract.ts'
import { listLibrary, type Owned } from './owned.contract.ts'

const open = openShopForTests()
const titles = (things: Owned[]) => things.map(({ title }) => title)
const run = (text: ReturnType<typeof sql>) => text.execute(open.shop.database.db)

/** Creates a member who bought a book, then codes, then a song. */
async function joinWithThings() {
  const buyer = await open.shop.join()
  const products = [
    await addProduct(open.shop, { title: 'Zebra tales' }),
    await addProduct(open.shop, { title: 'A card', codes: [crypto.randomUUID(), crypto.randomUUID()] }),
    await addProduct(open.shop, { title: 'Morning song' }),
  ]
  const orders = []
  for (const product of products) orders.push(await buy(open.shop, buyer, product))
  return { buyer, products, orders, lines: orders.map(({ lines }) => lines[0]!.id) }
}

const dispute = (orderId: string, buyer: Person) =>
  run(sql`INSERT INTO disputes (payment_id, order_id, user_id, provider, provider_dispute_id, state, amount_cents, reason, opened_at)
    SELECT id, order_id, ${buyer.id}::uuid, provider, id::text, 'needs_evidence', 1000, 'fraudulent', now()
    FROM payments WHERE order_id = ${orderId}::uuid`)

test('lists all purchases of a member, even withdrawn ones, with search, filter and sort', async () => {
  const { buyer, products, orders, lines } = await joinWithThings()
  await run(
    sql`UPDATE products SET is_active = false, withdrawn_at = now(), deleted_at = now() WHERE id = ${products[0]!.id}::uuid`,
  )
  const all = await buyer.call(listLibrary, {})
  expect(all).toMatchObject([
    { title: 'Morning song', kind: 'file', files: { name: 'book.txt', count: 1, hasNewer: false }, closedBy: null },
    { title: 'A card', kind: 'code', quantity: 1, files: null },
    { title: 'Zebra tales', id: lines[0], orderId: orders[0]!.id, seller: 'Sally P.', openedAt: null },
  ])
  expect(titles(await buyer.call(listLibrary, { sort: 'title' }))).toEqual(['A card', 'Morning song', 'Zebra tales'])
  expect(titles(await buyer.call(listLibrary, { kind: 'code' }))).toEqual(['A card'])
  expect(titles(await buyer.call(listLibrary, { q: ' sally  TALES ' }))).toEqual(['Zebra tales'])
  expect(titles(await buyer.call(listLibrary, { q: '%' }))).toEqual([])
  await buyer.call(grantDownload, { id: orders[0]!.id, lineId: lines[0]! })
  expect(titles(await buyer.call(listLibrary, { sort: 'opened' }))).toEqual(['Zebra tales', 'Morning song', 'A card'])
  expect(await (await open.shop.join()).call(listLibrary, {})).toEqual([])
})

test('shows where the owner stopped last, and nobody else’s place', async () => {
  const { buyer, lines } = await joinWithThings()
  const things = async (person: Person) =>
    (await person.call(listLibrary, {})).map(({ title, stop }) => [title, stop && `${stop.fileName} ${stop.place}`])
  const none = [
    ['Morning song', null],
    ['A card', null],
    ['Zebra tales', null],
  ]
  expect(await things(buyer)).toEqual(none)
  const [file] = await buyer.call(listOwnedFiles, { id: lines[0]! })
  const at = (place: string, share: number, minute: number) =>
    buyer.call(keepPlace, {
      ...{ id: lines[0]!, fileId: file!.id, place, share },
      movedAt: `2026-01-01T10:0${minute}:00.000Z`,
    })
  await at('3', 0.75, 2)
  await at('1', 0.25, 1)
  expect(await things(buyer)).toEqual([...none.slice(0, 2), ['Zebra tales', 'book.txt 3']])
  expect((await buyer.call(listLibrary, {})).at(-1)?.stop).toMatchObject({ fileId: file!.id, share: 0.75 })
})

test('pages through the library, even past an entry archived meanwhile', async () => {
  const { buyer, lines } = await joinWithThings()
  const read = (path: string) => fetch(open.shop.url + path, { headers: { cookie: buyer.cookie } })
  const first = await read('/api/library?limit=1&sort=title')
  expect(first.headers.get('x-total-count')).toBe('3')
  const next = /<(.*)>; rel="next"/.exec(first.headers.get('link')!)![1]!
  await buyer.call(archiveOwned, { id: lines[1]! })
  const second = await read(next)
  expect(titles((await second.json()) as Owned[])).toEqual(['Morning song'])
  const last = await read(/<(.*)>; rel="next"/.exec(second.headers.get('link')!)![1]!)
  expect(titles((await last.json()) as Owned[])).toEqual(['Zebra tales'])
  expect(last.headers.get('link')).toBeNull()
})

test('archives a purchase and restores it', async () => {
  const { buyer, lines } = await joinWithThings()
  expect(await buyer.call(archiveOwned, { id: lines[0]! })).toEqual({ isArchived: true })
  expect(titles(await buyer.call(listLibrary, {}))).toEqual(['Morning song', 'A card'])
  expect(await buyer.call(listLibrary, { archived: 'yes' })).toMatchObject([{ title: 'Zebra tales', isArchived: true }])
  expect(await buyer.call(unarchiveOwned, { id: lines[0]! })).toEqual({ isArchived: false })
  expect(await buyer.call(listLibrary, { archived: 'yes' })).toEqual([])
  const stranger = await open.shop.join()
  for (const call of [archiveOwned, unarchiveOwned, listOwnedFiles])
    await expect(stranger.call(call, { id: lines[0]! })).rejects.toMatchObject({ status: 404 })
})

test('shows why a purchase is locked, and removes it after the refund', async () => {
  const { buyer, products, orders, lines } = await joinWithThings()
  expect(await buyer.call(listOwnedFiles, { id: lines[0]! })).toMatchObject([
    { fileName: 'book.txt', sha256: products[0]!.sha256, sizeBytes: products[0]!.bytes.length, newer: null },
  ])
  expect((await buyer.call(checkKept, { ids: lines })).ids.toSorted()).toEqual(lines.toSorted())
  await dispute(orders[2]!.id, buyer)
  const refund = await refundOrder(open.shop.checkout, orders[0]!.id, 'asked for')
  expect((await buyer.call(listLibrary, {})).map(({ closedBy }) => closedBy)).toEqual(['dispute', null, 'refund'])
  // a device stores neither of them
  expect(await buyer.call(checkKept, { ids: lines })).toEqual({ ids: [lines[1]] })
  for (const id of [lines[0]!, lines[2]!])
    await expect(buyer.call(listOwnedFiles, { id })).rejects.toMatchObject({ status: 404 })
  await runRefund(open.shop.checkout, refund.id)
  expect(titles(await buyer.call(listLibrary, {}))).toEqual(['Morning song', 'A card'])
  expect(await (await open.shop.join()).call(checkKept, { ids: lines })).toEqual({ ids: [] })
})

test('limits a page of the longest library to 100 KB', async () => {
  const { buyer, lines } = await joinWithThings()
  await run(sql`WITH made AS (
      INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, status, expires_at, completed_at)
      SELECT user_id, 'many ' || n, 'x', 'cart', total_cents, 'completed', now(), now()
      FROM orders o, generate_series(1, 1000) n WHERE o.id = (SELECT order_id FROM order_lines WHERE id = ${lines[0]!}::uuid) RETURNING id),
    sold AS (
      INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
      SELECT m.id, 0, product_id, seller_id, repeat('Long words ', 18), price_cents, 1, delivery, file_id
      FROM made m, order_lines l WHERE l.id = ${lines[0]!}::uuid RETURNING id, product_id, file_id)
    INSERT INTO entitlements (order_line_id, user_id, product_id, file_id)
    SELECT id, ${buyer.id}::uuid, product_id, file_id FROM sold`)
  const answer = await fetch(`${open.shop.url}/api/library?limit=100`, { headers: { cookie: buyer.cookie } })
  expect(answer.headers.get('x-total-count')).toBe('1003')
  expect((await answer.bytes()).length).toBeLessThan(100_000)
})
