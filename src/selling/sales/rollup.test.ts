import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { addAllEvents, addEvents, movePeriods } from './rollup.server.ts'
import { getSales, PERIODS } from './sales.contract.ts'

const open = openShopForTests()
const query = <Row extends object>(text: string, values: unknown[] = []) =>
  open.shop.database.pool.query<Row>(text, values).then(({ rows }) => rows)
const quiet = async () => undefined
const addUp = () => addAllEvents(open.shop.database.db, quiet)

/** Sums the sales of a seller directly from `earnings`. */
const SUMS = `SELECT count(*)::int AS sales, count(DISTINCT e.order_id)::int AS orders, sum(e.gross_cents)::bigint AS gross,
  sum(e.returned_cents)::bigint AS returned, count(*) FILTER (WHERE e.returned_cents > 0)::int AS refunds,
  sum(e.fee_cents - e.returned_fee_cents)::bigint AS fee FROM earnings e JOIN order_lines l ON l.id = e.order_line_id WHERE e.seller_id = $1`

async function expectExact(seller: Person) {
  for (const period of PERIODS) {
    const [direct] = await query<{ sales: number; orders: number; gross: number; returned: number }>(
      `${SUMS} AND utc_day(e.earned_at) > utc_day(now()) - $2::int`,
      [seller.id, period],
    )
    const { now, days, products } = await seller.call(getSales, { days: period })
    expect(now).toMatchObject({
      ...{ sales: direct!.sales, orders: direct!.orders },
      ...{ revenue: toDecimal(direct!.gross ?? 0), refunded: toDecimal(direct!.returned ?? 0) },
    })
    const sum = (amounts: { revenue: string }[]) => amounts.reduce((all, { revenue }) => all + toCents(revenue), 0)
    expect([sum(days), sum(products)]).toEqual([direct!.gross ?? 0, direct!.gross ?? 0])
    expect(products.reduce((all, { sales }) => all + sales, 0)).toBe(direct!.sales)
  }
}

/** Simulates passing days: moves all stored dates back. */
async function sleep(sellers: Person[], days: number) {
  const ids = sellers.map(({ id }) => `'${id}'`).join()
  // in two steps, because a direct move could collide with the unique key of another day
  await open.shop.asOwner(`ALTER TABLE sales_days DISABLE TRIGGER USER;
    UPDATE sales_days SET day = day - 9000 WHERE seller_id IN (${ids});
    UPDATE sales_days SET day = day + 9000 - ${days} WHERE seller_id IN (${ids});
    ALTER TABLE sales_days ENABLE TRIGGER USER;
    UPDATE product_sum_days SET day = day - ${days} WHERE seller_id IN (${ids});
    UPDATE seller_events SET day = day - ${days} WHERE seller_id IN (${ids});
    UPDATE earnings SET earned_at = earned_at - interval '${days} days' WHERE seller_id IN (${ids})`)
}

/** Expects the daily sums of each kind to equal the earnings. */
async function expectDays(seller: Person) {
  for (const [kind, key] of [
    ['all', `''`],
    ['product', 'l.product_id::text'],
    ['country', 'country_of_order(e.order_id)'],
  ] as const) {
    const direct = await query(
      SUMS.replace('SELECT ', `SELECT utc_day(e.earned_at)::text AS day, ${key} AS key, `) +
        ' GROUP BY 1, 2 ORDER BY 1, 2',
      [seller.id],
    )
    const kept = await query(
      `SELECT day::text AS day, key, sales, ${kind === 'product' ? 'sales AS orders' : 'orders'}, gross_cents AS gross,
        returned_cents AS returned, refunds, fee_cents AS fee
       FROM sales_days WHERE seller_id = $1 AND kind = $2 AND sales > 0 ORDER BY day, key`,
      [seller.id, kind],
    )
    expect(kept, kind).toEqual(direct)
  }
}

const sale = fc.record({
  act: fc.constant('sale' as const),
  daysAgo: fc.integer({ min: 0, max: 40 }),
  lines: fc.array(fc.record({ seller: fc.nat({ max: 1 }), cents: fc.integer({ min: 1, max: 100_000 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
})
const refund = fc.record({
  act: fc.constant('refund' as const),
  which: fc.nat({ max: 30 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
})
const work = fc.record({ act: fc.constant('work' as const), isNight: fc.boolean() })
const night = fc.record({ act: fc.constant('night' as const), days: fc.integer({ min: 1, max: 60 }) })

test('figures equal the sums of the earnings after any sales and refunds', { timeout: 60_000 }, async () => {
  const buyer = await open.shop.join()
  const goods = await Promise.all([1, 2, 3].map(() => addProduct(open.shop)))
  const files = await query<{ id: string; file: string }>(
    'SELECT id, file_id AS file FROM products WHERE id = ANY ($1)',
    [goods.map(({ id }) => id)],
  )

  async function sell(
    sellers: Person[],
    { daysAgo, lines }: { daysAgo: number; lines: { seller: number; cents: number }[] },
  ) {
    const [order] = await query<{ id: string }>(
      `INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at)
       VALUES ($1, gen_random_uuid()::text, 'x', 'cart', 1, now()) RETURNING id`,
      [buyer.id],
    )
    await query(
      `WITH lines AS (
        INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
        SELECT $1::uuid, n, product, seller, 'A', cents, 1, 'file', file
        FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[]) WITH ORDINALITY l (product, file, seller, cents, n)
        RETURNING id, order_id, seller_id, price_cents)
      INSERT INTO earnings (order_line_id, order_id, seller_id, gross_cents, fee_cents, returned_cents, returned_fee_cents, earned_at, available_at)
        SELECT id, order_id, seller_id, price_cents, price_cents / 10, 0, 0, now() - $6 * interval '1 day', now() FROM lines`,
      [
        order!.id,
        lines.map((_, i) => files[i]!.id),
        lines.map((_, i) => files[i]!.file),
        lines.map(({ seller }) => sellers[seller]!.id),
        lines.map(({ cents }) => cents),
        daysAgo,
      ],
    )
  }

  async function giveBack(sellers: Person[], { which, part }: { which: number; part: number }) {
    await query(
      `UPDATE earnings SET returned_cents = greatest(returned_cents, round(gross_cents * $3::float8)::bigint),
         returned_fee_cents = greatest(returned_fee_cents, round(fee_cents * $3::float8)::bigint)
       WHERE order_line_id = (SELECT order_line_id FROM earnings WHERE seller_id = ANY ($1) ORDER BY order_line_id OFFSET $2 LIMIT 1)`,
      [sellers.map(({ id }) => id), which, part],
    )
  }

  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(sale, refund, work, night), { minLength: 1, maxLength: 12 }), async (acts) => {
      const sellers = [await open.shop.join(), await open.shop.join()]
      for (const act of acts) {
        if (act.act === 'sale') await sell(sellers, act)
        if (act.act === 'refund') await giveBack(sellers, act)
        if (act.act === 'work') await addUp()
        if (act.act === 'work' && act.isNight) await movePeriods(open.shop.database.db)
        if (act.act === 'night') await sleep(sellers, act.days)
      }
      for (const seller of sellers) await expectExact(seller)
      await addUp()
      // the job has nothing left to add
      expect(await addEvents(open.shop.database.db, quiet)).toBe(0)
      for (const seller of sellers) {
        await expectExact(seller)
        await expectDays(seller)
      }
    }),
    { numRuns: 15 },
  )
})

test('two nodes that work at once add each event once, and a failed run adds none', async () => {
  const [seller] = await query<{ id: string }>(`SELECT seller_id AS id FROM sales_days LIMIT 1`)
  const [line] = await query<{ id: string }>('SELECT id FROM order_lines LIMIT 1')
  await query(
    `INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents)
     SELECT $1, 'sale', $2, '2020-01-01', 1, 1, 100 FROM generate_series(1, 1200)`,
    [seller!.id, line!.id],
  )
  const { db } = open.shop.database
  await expect(addEvents(db, () => Promise.reject(new Error('the mail is away')))).rejects.toThrow('the mail is away')
  await Promise.all([addUp(), addUp(), addUp()])
  await addUp()
  expect(
    await query(
      `SELECT kind, orders, sales, gross_cents AS gross FROM sales_days WHERE day = '2020-01-01' ORDER BY kind`,
    ),
  ).toEqual(['all', 'country', 'product'].map((kind) => ({ kind, orders: 1200, sales: 1200, gross: 120_000 })))
})

test('counts views without waiting while the job notifies sellers', async () => {
  const [{ seller, line }] = (await query<{ seller: string; line: string }>(
    'SELECT seller_id AS seller, id AS line FROM order_lines LIMIT 1',
  )) as [{ seller: string; line: string }]
  await query(
    `INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents) VALUES ($1, 'sale', $2, '2020-02-02', 1, 1, 1)`,
    [seller, line],
  )
  const { db } = open.shop.database
  const told = vi.fn<() => Promise<void>>(async () => {
    // fails by lock timeout if the job has locked the sums
    await query(
      `INSERT INTO sales_days AS d (seller_id, kind, day, key, views) VALUES ($1, 'product', utc_day(now()), gen_random_uuid()::text, 1)`,
      [seller],
    )
  })
  await addAllEvents(db, told)
  expect(told).toHaveBeenCalled()
})
