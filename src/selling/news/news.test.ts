import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { saveReview } from '../../reviews/reviews.contract.ts'
import { addAllEvents } from '../sales/rollup.server.ts'
import { getSellerNews, setSellerNews } from './news.contract.ts'
import { mailDigests, notifySellers } from './news.server.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const mailing = { config: { storeName: 'Primo' }, publicUrl: 'https://shop.example' }
/** Runs the job. */
const work = () => addAllEvents(db(), (tx, events) => notifySellers(tx, mailing, events))

async function list(seller: Person, options: Parameters<typeof addProduct>[1] = {}): Promise<TestProduct> {
  const product = await addProduct(open.shop, options)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

const mailsTo = ({ email }: Person) =>
  db()
    .selectFrom('mails')
    .select(['subject', 'bodyText'])
    .where('recipient', '=', email)
    .orderBy('createdAt')
    .orderBy('key')
    .execute()
const subjectsTo = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)
const pushesTo = async ({ id }: Person) => {
  const { rows } = await sql<{ message: string }>`SELECT payload ->> 'message' AS message
    FROM graphile_worker._private_jobs j, push_subscriptions s
    WHERE s.user_id = ${id}::uuid AND payload ->> 'subscriptionId' = s.id::text ORDER BY j.id`.execute(db())
  return rows.map(({ message }) => JSON.parse(message) as { title: string; body: string; url: string })
}
const subscribe = ({ id }: Person) =>
  sql`INSERT INTO push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    SELECT ${id}::uuid, s.id, 'https://push.example/' || s.id, 'k', 'a' FROM sessions s WHERE user_id = ${id}::uuid LIMIT 1`.execute(
    db(),
  )

test('mails and pushes each sale, refund and review once, without codes and without the buyer', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  await subscribe(ada)
  const card = await list(ada, { title: 'Café Card', price: '25.00', codes: ['K7QM-2XVD', ...'ABCDEFGH'] })
  const order = await buy(open.shop, buyer, card)
  const lineId = order.lines[0]!.id
  await work()
  await work()
  expect(await subjectsTo(ada)).toEqual(['You made a sale: $25.00'])
  const [{ bodyText } = { bodyText: '' }] = await mailsTo(ada)
  expect(bodyText).toContain('1 × Café Card: $25.00')
  expect(bodyText).toContain(`https://shop.example/sales/${lineId}`)
  expect(await pushesTo(ada)).toEqual([
    { title: 'You made a sale: $25.00', body: 'Café Card, $25.00', url: `/sales/${lineId}` },
  ])

  await buyer.call(saveReview, { lineId, stars: 4, text: 'Good coffee.' })
  await work()
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'asked for', 500)).id)
  await work()
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'the rest')).id)
  await work()
  expect(await subjectsTo(ada)).toEqual([
    'You made a sale: $25.00',
    'New review: 4 of 5 for “Café Card”',
    'A sale was refunded: $5.00',
    'A sale was refunded: $20.00',
  ])
  expect(await pushesTo(ada)).toHaveLength(4)
  const told = JSON.stringify([await mailsTo(ada), await pushesTo(ada)])
  expect(told).toContain('Good coffee.')
  for (const secret of ['K7QM', buyer.email, buyer.id]) expect(told).not.toContain(secret)
})

test('sends each seller one mail per order, with only the goods of this seller', async () => {
  const [ada, bob, buyer] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const { lines } = await buy(open.shop, buyer, await list(ada, { title: 'First' }))
  await sql`DELETE FROM seller_events`.execute(db())
  const add = (seller: Person, kind: 'sale' | 'refund') =>
    sql`INSERT INTO seller_events (seller_id, kind, order_line_id, day, sales, gross_cents)
      SELECT ${seller.id}::uuid, ${kind}, ${lines[0]!.id}::uuid, utc_day(now()), 1, 1000`.execute(db())
  for (const seller of [ada, ada, bob]) await add(seller, 'sale')
  // an imported sale, which is too old for a notification
  await sql`INSERT INTO seller_events (seller_id, kind, order_line_id, day, sales, gross_cents)
    VALUES (${bob.id}::uuid, 'sale', ${lines[0]!.id}::uuid, utc_day(now()) - 2, 1, 7000)`.execute(db())
  // a refund event without returned money causes no mail
  await add(bob, 'refund')
  await work()
  expect([await subjectsTo(ada), await subjectsTo(bob)]).toEqual([
    ['You made 2 sales: $20.00'],
    ['You made a sale: $10.00'],
  ])
})

test('a refund mail links to the list of sales for several sales, and to the sale for one', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const goods = [
    { product: await list(ada, { title: 'First', price: '6.00' }) },
    { product: await list(ada, { title: 'Second', price: '4.00' }) },
  ]
  const { checkout } = open.shop
  const order = await buyMany(open.shop, buyer, goods)
  await work()
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'all of it')).id)
  await work()
  const single = await buy(open.shop, buyer, goods[0]!.product)
  await work()
  await runRefund(checkout, (await refundOrder(checkout, single.id, 'all of it')).id)
  await work()
  const bodies = (await mailsTo(ada)).flatMap(({ subject, bodyText }) =>
    / refunded: /.test(subject) ? [bodyText] : [],
  )
  expect(bodies).toHaveLength(2)
  const [both, one] = bodies.toSorted((a, b) => b.length - a.length)
  expect(both).toContain('https://shop.example/orders?tab=sales')
  expect(both).not.toContain('https://shop.example/sales/')
  expect(one).toContain(`https://shop.example/sales/${single.lines[0]!.id}`)
})

test.each(['a buyer', 'the seller'])(
  'mails once when codes run low and once when they are sold out to %s',
  async (who) => {
    const [ada, other] = [await open.shop.join(), await open.shop.join()]
    const buyer = who === 'a buyer' ? other : ada
    await setNews(ada, { sales: 'off' })
    const card = await list(ada, { title: 'Card', codes: [...'1234567'].map((code) => who + code) })
    for (let sold = 0; sold < 7; sold++) {
      await buy(open.shop, buyer, card)
      await work()
    }
    const aboutStock = (await subjectsTo(ada)).filter((subject) => subject.startsWith('“Card”'))
    expect(aboutStock).toEqual(['“Card” has 5 codes left', '“Card” is sold out'])
    expect(await subjectsTo(ada)).not.toContainEqual(expect.stringContaining('You made a sale'))
  },
)

const setNews = (seller: Person, wishes: object) =>
  seller.call(setSellerNews, { ...{ sales: 'each', refunds: 'each', reviews: 'each', stock: 'each' }, ...wishes })

test('mails the digest of a day once after the day, and nothing to sellers who turned it off', async () => {
  const [ada, bob, buyer] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  expect(await ada.call(getSellerNews, {})).toEqual({ sales: 'each', refunds: 'each', reviews: 'each', stock: 'each' })
  const daily = { sales: 'daily', refunds: 'daily', reviews: 'daily', stock: 'daily' } as const
  expect(await setNews(ada, daily)).toEqual(daily)
  expect(await ada.call(getSellerNews, {})).toEqual(daily)
  await setNews(bob, { sales: 'off' })
  await subscribe(ada)
  const [book, other] = [await list(ada, { price: '4.00' }), await list(bob)]
  for (const product of [book, book, other]) await buy(open.shop, buyer, product)
  await work()
  await mailDigests(db(), mailing)
  // the day is not over
  expect([await subjectsTo(ada), await subjectsTo(bob)]).toEqual([[], []])
  await sql`UPDATE seller_digests SET day = '2026-11-21'`.execute(db())
  await mailDigests(db(), mailing)
  await mailDigests(db(), mailing)
  const mails = await mailsTo(ada)
  expect(mails.map(({ subject }) => subject)).toEqual(['Your sales on 2026-11-21'])
  expect(mails[0]!.bodyText).toContain('2 sales, revenue $8.00.')
  expect((await pushesTo(ada)).map(({ body }) => body)).toEqual(['2 sales, revenue $8.00.'])
  expect(await subjectsTo(bob)).toEqual([])
  for (const wrong of [{ sales: 'never' }, { payouts: 'each' }])
    await expect(setNews(ada, wrong)).rejects.toMatchObject({ status: 400 })
})

test('counts the sale of an erased seller without notifying the seller', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  await buy(open.shop, buyer, await list(ada))
  await sql`UPDATE users SET erased_at = now() WHERE id = ${ada.id}::uuid`.execute(db())
  await work()
  expect(await subjectsTo(ada)).toEqual([])
  const { rows } = await sql`SELECT sales FROM sales_days WHERE seller_id = ${ada.id}::uuid AND kind = 'all'`.execute(
    db(),
  )
  expect(rows).toEqual([{ sales: 1 }])
})

test('a purchase adds no job for its seller', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const names = async () =>
    (
      await sql<{ name: string }>`SELECT DISTINCT task_identifier AS name FROM graphile_worker.jobs`.execute(db())
    ).rows.map(({ name }) => name)
  const before = await names()
  await buy(open.shop, buyer, await list(ada))
  expect((await names()).filter((name) => !before.includes(name) && /sale|seller/.test(name))).toEqual([])
})
