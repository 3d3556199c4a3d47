import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct, type TestProduct } from '../../test/goods.ts'
import { buyMany, runRefunds } from '../../test/order.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { getProduct } from '../catalogue/catalogue.contract.ts'
import { startPayment } from '../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { getOrder, listOrders } from '../purchases/orders.contract.ts'
import {
  deleteReview,
  listOwnReviews,
  listPurchases,
  listReviews,
  listSellerReviews,
  saveReview,
} from './reviews.contract.ts'
import { addSamples, hideReviews, removeSamples, restoreReview, takeReviewDown } from './reviews.server.ts'

const open = openShopForTests()

async function bought(product?: TestProduct) {
  const goods = product ?? (await addProduct(open.shop))
  const buyer = await open.shop.join({ firstName: 'Bruno' })
  const order = await buy(open.shop, buyer, goods)
  return { buyer, product: goods, order, lineId: order.lines[0]!.id }
}

const reviewsOf = ({ id }: { id: string }) => open.shop.call(listReviews, { id })
const ratingOf = async ({ id }: { id: string }) => (await open.shop.call(getProduct, { id })).rating
const write = ({ buyer, lineId }: { buyer: Person; lineId: string }, stars: number, text = '') =>
  buyer.call(saveReview, { lineId, stars, text })

/** Returns the counts that triggers maintain, and a full count. */
async function countTwice() {
  const { rows } = await sql<{ kept: string; counted: string }>`SELECT
      (SELECT json_agg(json_build_array(product_id, stars_1, stars_2, stars_3, stars_4, stars_5, samples) ORDER BY product_id)::text
        FROM ratings WHERE stars_1 + stars_2 + stars_3 + stars_4 + stars_5 > 0) AS kept,
      (SELECT json_agg(json_build_array(product_id, a, b, c, d, e, f) ORDER BY product_id)::text FROM (
        SELECT product_id, count(*) FILTER (WHERE stars = 1) a, count(*) FILTER (WHERE stars = 2) b,
          count(*) FILTER (WHERE stars = 3) c, count(*) FILTER (WHERE stars = 4) d, count(*) FILTER (WHERE stars = 5) e, count(sample_author) f
        FROM reviews WHERE hidden_at IS NULL GROUP BY 1) n) AS counted`.execute(open.shop.database.db)
  const store = await sql<{ kept: string; counted: string }>`SELECT
      (SELECT json_build_array(stars_1, stars_2, stars_3, stars_4, stars_5, samples)::text FROM store_rating) AS kept,
      (SELECT json_build_array(count(*) FILTER (WHERE stars = 1), count(*) FILTER (WHERE stars = 2),
        count(*) FILTER (WHERE stars = 3), count(*) FILTER (WHERE stars = 4), count(*) FILTER (WHERE stars = 5),
        count(sample_author))::text FROM reviews WHERE hidden_at IS NULL) AS counted`.execute(open.shop.database.db)
  return { product: rows[0]!, store: store.rows[0]! }
}
async function expectTrueTallies() {
  const { product, store } = await countTwice()
  expect(product.kept).toBe(product.counted)
  expect(store.kept).toBe(store.counted)
}

test('a buyer writes, edits and deletes one review of a purchase', async () => {
  const purchase = await bought()
  const { buyer, product, lineId } = purchase
  expect(await buyer.call(listPurchases, { id: product.id })).toMatchObject([{ lineId, review: null }])
  const { review } = await write(purchase, 4, '  Clear and calm.\nMore rye, please.  ')
  expect(review).toMatchObject({ author: 'Bruno P.', stars: 4, text: 'Clear and calm.\nMore rye, please.' })
  expect(review).toMatchObject({ editedAt: null, isSample: false })
  const again = await write(purchase, 5, 'Even better the second time.')
  expect(again.review).toMatchObject({ id: review!.id, stars: 5, text: 'Even better the second time.' })
  expect(again.review!.editedAt).not.toBeNull()
  await vi.waitFor(async () => expect(await reviewsOf(product)).toEqual([again.review]), 20_000)
  await vi.waitFor(async () => expect((await ratingOf(product)).product).toEqual([0, 0, 0, 0, 1]), 20_000)
  await buyer.call(deleteReview, { lineId })
  await vi.waitFor(async () => expect(await reviewsOf(product)).toEqual([]), 20_000)
  await vi.waitFor(async () => expect((await ratingOf(product)).product).toEqual([0, 0, 0, 0, 0]), 20_000)
  await expect(buyer.call(deleteReview, { lineId })).rejects.toMatchObject({ status: 404 })
  await expectTrueTallies()
})

test('saving an identical review is not an edit', async () => {
  const purchase = await bought()
  await write(purchase, 5, 'Good.')
  expect((await write(purchase, 5, 'Good.')).review!.editedAt).toBeNull()
})

test('a member has one review of a product, for any number of purchases and concurrent requests', async () => {
  const first = await bought()
  const second = await buy(open.shop, first.buyer, first.product)
  await Promise.all([write(first, 5, 'Once.'), write(first, 5, 'Once.'), write(first, 5, 'Once.')])
  const again = { buyer: first.buyer, lineId: second.lines[0]!.id }
  await Promise.all([write(again, 3, 'Again.'), write(first, 3, 'Again.')])
  await vi.waitFor(async () => expect((await ratingOf(first.product)).product).toEqual([0, 0, 1, 0, 0]), 20_000)
  const purchases = await first.buyer.call(listPurchases, { id: first.product.id })
  expect(purchases.map(({ review }) => review?.text)).toEqual(['Again.', 'Again.'])
  const { lines } = await first.buyer.call(getOrder, { id: second.id })
  expect(lines.map(({ isReviewed }) => isReviewed)).toEqual([true])
  await first.buyer.call(deleteReview, { lineId: second.lines[0]!.id })
  expect(await reviewsOf(first.product)).toEqual([])
  await expectTrueTallies()
})

test.each(['a hidden review', 'a review of a former account', 'a hidden review of a former account'])(
  'saves a new review of an order line that has %s',
  async (case_) => {
    const first = await bought()
    const second = await buy(open.shop, first.buyer, first.product)
    const newer = { buyer: first.buyer, lineId: second.lines[0]!.id }
    const { review: older } = await write(first, 2, 'Older.')
    const former = await open.shop.join()
    await sql`UPDATE reviews SET hidden_at = CASE WHEN ${case_.includes('hidden')} THEN now() END,
      user_id = CASE WHEN ${case_.includes('former')} THEN ${former.id}::uuid ELSE user_id END WHERE id = ${older!.id}::uuid`.execute(
      open.shop.database.db,
    )
    await write(newer, 3, 'Newer.')
    await first.buyer.call(deleteReview, { lineId: newer.lineId })
    const [{ review }] = await Promise.all([write(first, 5, 'Once more.'), write(first, 5, 'Once more.')])
    expect(review).toMatchObject({ stars: 5, text: 'Once more.' })
    await vi.waitFor(
      async () => expect((await reviewsOf(first.product)).map(({ id }) => id)).toEqual([review!.id]),
      20_000,
    )
    await expectTrueTallies()

    await inTransaction(open.shop.database.db, (tx) => takeReviewDown(tx, review!.id, 'Off topic.'))
    for (const purchase of [first, newer])
      await expect(write(purchase, 1)).rejects.toMatchObject({ status: 409, code: 'review_hidden' })
    await expectTrueTallies()
  },
)

test('a refunded line allows no review, also in an order that stays completed', async () => {
  const [dear, cheap] = [
    await addProduct(open.shop, { price: '90.00' }),
    await addProduct(open.shop, { price: '1.00' }),
  ]
  const buyer = await open.shop.join()
  const order = await buyMany(open.shop, buyer, [{ product: dear }, { product: cheap }])
  const lineId = order.lines[0]!.id
  const { review } = await write({ buyer, lineId }, 5, 'Before the refund.')
  await refundOrder(open.shop.checkout, order.id, 'asked for', 9000, { lines: [{ orderLineId: lineId, quantity: 1 }] })
  await runRefunds(open.shop)
  await expect(write({ buyer, lineId }, 5)).rejects.toMatchObject({ status: 409, code: 'refunded' })
  expect(await buyer.call(listPurchases, { id: dear.id })).toEqual([])
  const after = await buyer.call(getOrder, { id: order.id })
  expect([after.status, ...after.lines.map(({ isReviewed }) => isReviewed)]).toEqual(['completed', null, false])
  // staff hide and restore the review: it stays hidden
  await inTransaction(open.shop.database.db, async (tx) => {
    await takeReviewDown(tx, review!.id, 'Off topic.')
    await restoreReview(tx, review!.id)
  })
  expect(await reviewsOf(dear)).toEqual([])
  await expectTrueTallies()
})

test('only the buyer may review a paid purchase, and no seller their own product', async () => {
  const { buyer, lineId, product } = await bought()
  const stranger = await open.shop.join()
  await expect(write({ buyer: stranger, lineId }, 1)).rejects.toMatchObject({ status: 404 })
  await write({ buyer, lineId }, 5)
  await expect(stranger.call(deleteReview, { lineId })).rejects.toMatchObject({ status: 404 })
  await expect(open.shop.call(saveReview, { lineId, stars: 1, text: '' })).rejects.toMatchObject({ status: 401 })
  expect(await stranger.call(listPurchases, { id: product.id })).toEqual([])

  const items = [{ productId: product.id, quantity: 1 }]
  await stranger.call(startPayment, { amount: product.price, currency: 'USD', intent: 'capture', items })
  const [unpaid] = await stranger.call(listOrders, {})
  expect(await stranger.call(listPurchases, { id: product.id })).toEqual([])
  await expect(write({ buyer: stranger, lineId: unpaid!.lines[0]!.id }, 1)).rejects.toMatchObject({
    status: 409,
    code: 'not_bought',
  })

  const own = await bought()
  await sql`UPDATE order_lines SET seller_id = ${own.buyer.id}::uuid WHERE id = ${own.lineId}::uuid`.execute(
    open.shop.database.db,
  )
  await expect(write(own, 5)).rejects.toMatchObject({ status: 409, code: 'own_product' })
})

test('a refund hides the review and prevents a new one', async () => {
  const purchase = await bought()
  const { buyer, product, order, lineId } = purchase
  await write(purchase, 1, 'I want my money back.')
  await vi.waitFor(async () => expect((await ratingOf(product)).product).toEqual([1, 0, 0, 0, 0]), 20_000)
  const refund = await refundOrder(open.shop.checkout, order.id, 'asked for')
  await runRefund(open.shop.checkout, refund.id)
  await vi.waitFor(async () => expect(await reviewsOf(product)).toEqual([]), 20_000)
  await vi.waitFor(async () => expect((await ratingOf(product)).product).toEqual([0, 0, 0, 0, 0]), 20_000)
  expect(await buyer.call(listPurchases, { id: product.id })).toEqual([])
  await expect(write(purchase, 1)).rejects.toMatchObject({ status: 409, code: 'refunded' })
  await expectTrueTallies()
  // the author may still delete a hidden review
  await buyer.call(deleteReview, { lineId })
  await expectTrueTallies()
})

test('rejects a review that a buyer writes during the refund of the purchase', async () => {
  const purchase = await bought()
  const { db } = open.shop.database
  let writing: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`UPDATE orders SET status = 'refunded' WHERE id = ${purchase.order.id}::uuid`.execute(tx)
    writing = write(purchase, 1, 'Just in time?').catch((error: unknown) => error)
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
    await expect.poll(async () => (await waiting.execute(tx)).rows).toHaveLength(1)
    await hideReviews(tx, [purchase.lineId])
  })
  expect(await writing).toMatchObject({ status: 409, code: 'refunded' })
  expect(await reviewsOf(purchase.product)).toEqual([])
})

test('counts concurrent new, changed and deleted reviews', async () => {
  const products = [await addProduct(open.shop), await addProduct(open.shop)]
  const purchases = await Promise.all(Array.from({ length: 8 }, (_, i) => bought(products[i % 2])))
  await Promise.all(purchases.map((purchase, i) => write(purchase, (i % 5) + 1)))
  await expectTrueTallies()
  await Promise.all(purchases.map((purchase, i) => write(purchase, 5 - (i % 5), 'Changed.')))
  await Promise.all(purchases.slice(4).map(({ buyer, lineId }) => buyer.call(deleteReview, { lineId })))
  await expectTrueTallies()
})

test('a review updates the sort key of its product and locks the product only at commit', async () => {
  const product = await addProduct(open.shop)
  const { db, pool } = open.shop.database
  const sample = { productId: product.id, author: 'Jonas T.', text: '', createdAt: new Date() }
  await db.transaction().execute(async (tx) => {
    await addSamples(tx, [
      { ...sample, stars: 4 },
      { ...sample, stars: 5 },
    ])
    const buyable = await pool.query('SELECT FROM products WHERE id = $1 FOR SHARE SKIP LOCKED', [product.id])
    expect(buyable.rowCount).toBe(1)
  })
  const { rows } = await pool.query('SELECT rated FROM products WHERE id = $1', [product.id])
  expect(rows).toEqual([{ rated: 45_000_002 }])
  await removeSamples(db)
})

test('samples count, are marked as samples, and can be deleted completely', async () => {
  const product = await addProduct(open.shop)
  const before = await ratingOf(product)
  const sample = (stars: number, day: number) => ({
    productId: product.id,
    author: 'Jonas T.',
    stars,
    text: `Day ${day}`,
    createdAt: new Date(Date.UTC(2026, 0, day)),
  })
  await addSamples(open.shop.database.db, [sample(5, 1), sample(4, 2), sample(5, 3)])
  await vi.waitFor(async () => expect(await ratingOf(product)).toMatchObject({ samples: 3, productSamples: 3 }), 20_000)
  const page = await fetch(`${open.shop.url}/api/products/${product.id}/reviews?limit=2`)
  expect(page.headers.get('x-total-count')).toBe('3')
  expect(await page.json()).toMatchObject([
    { author: 'Jonas T.', text: 'Day 3', isSample: true },
    { text: 'Day 2', stars: 4 },
  ])
  const next = /<(.*)>; rel="next"/.exec(page.headers.get('link')!)![1]!
  const last = await fetch(open.shop.url + next)
  expect(await last.json()).toMatchObject([{ text: 'Day 1' }])
  expect(last.headers.get('link')).toBeNull()
  expect(await removeSamples(open.shop.database.db)).toBe(3)
  await vi.waitFor(async () => expect(await ratingOf(product)).toEqual(before), 20_000)
  await expectTrueTallies()
})

test.each([
  ['no stars', { stars: 0, text: '' }],
  ['six stars', { stars: 6, text: '' }],
  ['half a star', { stars: 4.5, text: '' }],
  ['stars as text', { stars: '5', text: '' }],
  ['more than 2,000 characters', { stars: 5, text: 'x'.repeat(2001) }],
  ['no text at all', { stars: 5 }],
  ['an author', { stars: 5, text: '', author: 'Somebody' }],
])('rejects a review with %s', async (_, body) => {
  const { buyer, lineId } = await bought()
  await expect(
    buyer.call(saveReview, { lineId, ...body } as Parameters<typeof buyer.call<typeof saveReview>>[1]),
  ).rejects.toMatchObject({ status: 400 })
})

test.each(['nonsense', Buffer.from('["newest",1,"x"]').toString('base64url')])(
  'rejects a cursor of another list: %s',
  async (after) => {
    const product = await addProduct(open.shop)
    await expect(open.shop.call(listReviews, { id: product.id, after })).rejects.toMatchObject({ status: 400 })
  },
)

test('hides the reviews of an unlisted product', async () => {
  const { product } = await bought()
  await sql`UPDATE products SET is_active = false WHERE id = ${product.id}::uuid`.execute(open.shop.database.db)
  await vi.waitFor(() => expect(reviewsOf(product)).rejects.toMatchObject({ status: 404 }), 20_000)
  await expect(reviewsOf({ id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('a seller page shows the newest reviews of products on sale; the seller can always read them', async () => {
  const seller = await open.shop.join({ firstName: 'Ada' })
  const sell = async (title: string) => {
    const product = await addProduct(open.shop, { title })
    await open.shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [seller.id, product.id])
    return product
  }
  const [first, second, third] = [await sell('First'), await sell('Second'), await sell('Third')]
  for (const [product, text] of [
    [first, 'Oldest'],
    [second, 'Middle'],
    [first, 'Newest'],
    [third, 'Withdrawn'],
    [await addProduct(open.shop), 'Foreign'],
  ] as const)
    await write(await bought(product), 5, text)
  await sql`UPDATE products SET is_active = false WHERE id = ${third.id}::uuid`.execute(open.shop.database.db)
  await sql`SELECT open_storefront(${seller.id}::uuid)`.execute(open.shop.database.db)
  const { handle } = await open.shop.database.db
    .selectFrom('storefronts')
    .select('handle')
    .where('userId', '=', seller.id)
    .executeTakeFirstOrThrow()
  const page = async (path: string) => {
    const reply = await fetch(open.shop.url + path)
    const [, next] = /<(.+)>/.exec(reply.headers.get('link') ?? '') ?? []
    const reviews = (await reply.json()) as { text: string; product: { title: string } }[]
    return {
      total: reply.headers.get('x-total-count'),
      next,
      said: reviews.map((one) => [one.text, one.product.title]),
    }
  }
  await vi.waitFor(async () => {
    const { said, total, next } = await page(`/api/sellers/${handle}/reviews?limit=2`)
    expect({ said, total }).toEqual({
      said: [
        ['Newest', 'First'],
        ['Middle', 'Second'],
      ],
      total: '3',
    })
    expect(await page(next!)).toEqual({ said: [['Oldest', 'First']], total: '3', next: undefined })
  }, 20_000)
  for (const unknown of ['nobody-has-this', `${handle}x`])
    await expect(open.shop.call(listSellerReviews, { handle: unknown })).rejects.toMatchObject({ status: 404 })

  expect(await seller.call(listOwnReviews, { id: third.id })).toMatchObject([{ text: 'Withdrawn', author: 'Bruno P.' }])
  const other = await open.shop.join()
  await expect(other.call(listOwnReviews, { id: first.id })).rejects.toMatchObject({ status: 404 })
  await expect(seller.call(listOwnReviews, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})
