import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { type Customer, CUSTOMERS_CSV, getCustomer, listCustomers, saveNote } from './customers.contract.ts'

const open = openShopForTests({ FEE_PERCENT: '10', FEE_CENTS: '0', BONUS_PERCENT: '0' })
const db = () => open.shop.database.db

async function list(seller: Person, title: string, price = '20.00') {
  const product = await addProduct(open.shop, { title, price })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

const setNews = (person: Person, wants: boolean) =>
  sql`UPDATE users SET wants_news = ${wants} WHERE id = ${person.id}::uuid`.execute(db())

async function erase(person: Person) {
  await sql`UPDATE users SET erase_at = now() WHERE id = ${person.id}::uuid`.execute(db())
  await eraseDueAccounts(db())
}

test('lists who bought, with what the seller keeps, and nobody else', async () => {
  const [seller, ada, bob] = [
    await open.shop.join(),
    await open.shop.join({ firstName: 'Ada' }),
    await open.shop.join({ firstName: 'Bob' }),
  ]
  const [trains, mist] = [await list(seller, 'Night Trains'), await list(seller, 'Mist', '10.00')]
  const first = await buy(open.shop, ada, trains)
  await buy(open.shop, bob, trains)
  await buy(open.shop, ada, mist)
  await buy(open.shop, seller, trains)
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, first.id, 'a page is missing')).id)
  expect(await seller.call(listCustomers, {})).toMatchObject([
    { id: ada.id, name: 'Ada P.', email: null, sales: 2, net: '9.00', title: 'Mist', hasNote: false },
    { id: bob.id, name: 'Bob P.', email: null, sales: 1, net: '18.00', title: 'Night Trains' },
  ])
  const names = async (q: string) => (await seller.call(listCustomers, { q })).map(({ name }) => name)
  expect([await names('áDA'), await names('trains'), await names('mist'), await names(first.id.slice(-8))]).toEqual([
    ['Ada P.'],
    ['Ada P.', 'Bob P.'],
    ['Ada P.'],
    ['Ada P.'],
  ])
  expect([await names('nobody'), await names('%')]).toEqual([[], []])
  const detail = await seller.call(getCustomer, { id: ada.id })
  expect(detail).toMatchObject({ note: '', bought: [{ title: 'Mist' }, { title: 'Night Trains', state: 'refunded' }] })
  const stranger = await open.shop.join()
  await buy(open.shop, bob, await list(stranger, 'Another'))
  expect(await stranger.call(listCustomers, {})).toMatchObject([{ id: bob.id, sales: 1 }])
  await expect(stranger.call(getCustomer, { id: ada.id })).rejects.toMatchObject({ status: 404 })
  await expect(seller.call(getCustomer, { id: seller.id })).rejects.toMatchObject({ status: 404 })
})

test('pages through all customers, each once', async () => {
  const seller = await open.shop.join()
  const book = await list(seller, 'Pages', '1.00')
  for (let n = 0; n < 5; n++) await buy(open.shop, await open.shop.join(), book)
  await sql`UPDATE earnings SET earned_at = '2026-01-01' WHERE seller_id = ${seller.id}::uuid AND order_line_id IN
    (SELECT order_line_id FROM earnings WHERE seller_id = ${seller.id}::uuid LIMIT 3)`.execute(db())
  const seen: string[] = []
  for (let next: string | null = '/api/selling/customers?limit=2'; next;) {
    const response = await fetch(open.shop.url + next, { headers: { cookie: seller.cookie } })
    expect(response.headers.get('x-total-count')).toBe('5')
    seen.push(...((await response.json()) as Customer[]).map(({ id }) => id))
    next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  }
  expect([seen.length, new Set(seen).size]).toEqual([5, 5])
})

test('a purchase between two pages repeats no customer, in the list and in the search', async () => {
  const seller = await open.shop.join()
  const sell = async (buyer: Person) => buy(open.shop, buyer, await list(seller, 'Between', '1.00'))
  const buyers: Person[] = []
  for (let n = 0; n < 4; n++) {
    const buyer = await open.shop.join()
    await sell(buyer)
    buyers.unshift(buyer)
  }
  for (const path of ['/api/selling/customers?limit=2', '/api/selling/customers?limit=2&q=between']) {
    const pages: string[][] = []
    for (let next: string | null = path; next;) {
      const response: Response = await fetch(open.shop.url + next, { headers: { cookie: seller.cookie } })
      expect(response.headers.get('x-total-count')).toBe('4')
      pages.push(((await response.json()) as Customer[]).map(({ id }) => id))
      next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
      // the last customer of the first page buys again and becomes the newest
      if (pages.length === 1) await sell(buyers[1]!)
    }
    expect(pages).toEqual([buyers.slice(0, 2).map(({ id }) => id), buyers.slice(2).map(({ id }) => id)])
    buyers.unshift(...buyers.splice(1, 1))
  }
  await expect(seller.call(listCustomers, { after: 'nonsense' })).rejects.toMatchObject({ status: 400 })
})

test('finds a customer by the number of an order as it is written', async () => {
  const [seller, ada] = [await open.shop.join(), await open.shop.join()]
  const { id } = await buy(open.shop, ada, await list(seller, 'Numbers'))
  for (const q of [id.slice(-8), `#${id.slice(-8)}`, `# ${id.slice(-8).toUpperCase()}`, id])
    expect(await seller.call(listCustomers, { q }), q).toMatchObject([{ id: ada.id }])
  expect(await seller.call(listCustomers, { q: '#00000000' })).toEqual([])
})

test('keeps a note for its seller alone, until it is emptied or an account is erased', async () => {
  const [seller, other, ada] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  for (const one of [seller, other]) await buy(open.shop, ada, await list(one, 'A book'))
  const id = ada.id
  const { noteVersion: version } = await seller.call(saveNote, { id, note: 'Wants a class licence.', version: 0 })
  expect(await seller.call(getCustomer, { id })).toMatchObject({
    ...{ note: 'Wants a class licence.', noteVersion: version, hasNote: true },
  })
  expect(await other.call(getCustomer, { id })).toMatchObject({ note: '', noteVersion: 0, hasNote: false })
  expect(await seller.call(saveNote, { id, note: '', version })).toEqual({ note: '', noteVersion: 0 })
  expect(await seller.call(getCustomer, { id })).toMatchObject({ note: '', hasNote: false })
  for (const note of ['', 'Never bought.'])
    await expect(seller.call(saveNote, { id: other.id, note, version: 0 })).rejects.toMatchObject({ status: 404 })
  await seller.call(saveNote, { id, note: 'Again', version: 0 })
  await erase(ada)
  expect(await seller.call(getCustomer, { id })).toMatchObject({ name: 'Former member', note: '' })
  const late = { id, note: 'After the erasure', version: 0 }
  await expect(seller.call(saveNote, late)).rejects.toMatchObject({ status: 404 })
  expect(await seller.call(saveNote, { ...late, note: '' })).toEqual({ note: '', noteVersion: 0 })
})

test('refuses a note that another tab has changed or deleted since it was read', async () => {
  const [seller, ada] = [await open.shop.join(), await open.shop.join()]
  await buy(open.shop, ada, await list(seller, 'A book'))
  const save = (note: string, version: number) => seller.call(saveNote, { id: ada.id, note, version })
  const first = await save('First', 0)
  const second = await save('Second', first.noteVersion)
  const changed = { status: 409, code: 'changed' }
  for (const [note, version] of [
    ['Stale', first.noteVersion],
    ['Stale', 0],
    ['', first.noteVersion],
  ] as const)
    await expect(save(note, version)).rejects.toMatchObject(changed)
  expect(await seller.call(getCustomer, { id: ada.id })).toMatchObject({ note: 'Second' })
  await save('', second.noteVersion)
  await expect(save('Stale', second.noteVersion)).rejects.toMatchObject(changed)
  expect(await seller.call(getCustomer, { id: ada.id })).toMatchObject({ note: '', noteVersion: 0 })
})

test('refuses a note that was sent during the erasure of its customer', async () => {
  const [seller, ada] = [await open.shop.join(), await open.shop.join()]
  await buy(open.shop, ada, await list(seller, 'A book'))
  const saving = await inTransaction(db(), async (tx) => {
    await tx.updateTable('users').set({ erasedAt: new Date() }).where('id', '=', ada.id).execute()
    const call = seller.call(saveNote, { id: ada.id, note: 'Late', version: 0 }).catch((error: unknown) => error)
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
    await expect.poll(async () => (await waiting.execute(tx)).rows.length).toBe(1)
    return { call }
  })
  expect(await saving.call).toMatchObject({ status: 404 })
  expect(await seller.call(getCustomer, { id: ada.id })).toMatchObject({ note: '' })
})

test('the table has the customers, safe for spreadsheets, and no address by default', async () => {
  const [seller, ada] = [await open.shop.join(), await open.shop.join({ firstName: '=Ada' })]
  await setNews(ada, true)
  await buy(open.shop, ada, await list(seller, 'A, book'))
  const response = await fetch(open.shop.url + CUSTOMERS_CSV, { headers: { cookie: seller.cookie } })
  const [head, row, end] = (await response.text()).split('\r\n')
  expect(head).toBe('Name,E-mail,Sales,Net,First sale,Last sale,Last product')
  expect(row).toMatch(/^'=Ada P\.,,1,18\.00,.+,"A, book"$/)
  expect(end).toBe('')
  expect((await fetch(open.shop.url + CUSTOMERS_CSV)).status).toBe(401)
})

test('shows an address only of who agreed to mail, in a shop that shows addresses', async () => {
  const shop = await openTestShop({ SELLERS_SEE_EMAIL: 'on' })
  try {
    const [seller, ada, bob] = [await shop.join(), await shop.join(), await shop.join()]
    const product = await addProduct(shop)
    await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(
      shop.database.db,
    )
    for (const buyer of [ada, bob]) await buy(shop, buyer, product)
    await sql`UPDATE users SET wants_news = true WHERE id = ${ada.id}::uuid`.execute(shop.database.db)
    await sql`UPDATE users SET wants_news = false WHERE id = ${bob.id}::uuid`.execute(shop.database.db)
    const emails = (await seller.call(listCustomers, {})).map(({ email }) => email)
    expect(emails.toSorted()).toEqual([ada.email, null].toSorted())
    expect(await seller.call(listCustomers, { q: ada.email })).toHaveLength(1)
    // a search does not tell who has a hidden address
    expect(await seller.call(listCustomers, { q: bob.email })).toEqual([])
  } finally {
    await shop.close()
  }
})
