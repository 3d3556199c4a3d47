import type pg from 'pg'
import { MAIN_METHOD } from '../src/payments/methods.ts'
import { only } from '../src/kit/values/required.ts'

// Adds accounts and paid orders for load tests. PostgreSQL generates the rows, with all constraints and triggers.

const BATCH = 10_000
const REVIEWS_AT_ONCE = 500
/** Two parallel statements, because the foreign keys of a batch keep one core busy. */
export const CONNECTIONS = 2
const LOAD_USERS = `(SELECT id, row_number() OVER (ORDER BY length(email), email) - 1 AS n FROM users WHERE email LIKE 'load%@primo.example')`

export async function addUsers(pool: pg.Pool, count: number, passwordHash: string) {
  const [{ done }] = (await pool.query(`SELECT count(*) AS done FROM ${LOAD_USERS} u`)).rows as [{ done: number }]
  for (let from = done + 1; from <= count; from += BATCH)
    await pool.query(USERS, [from, Math.min(from + BATCH - 1, count), passwordHash])
}

export async function findUsers(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${LOAD_USERS} u WHERE n < $1 ORDER BY n`, [count])
  return rows.map(({ id }) => id)
}

/**
 * Ids ascend with the rows, because random ids would touch every index page again and again. A million of them still
 * spread over the whole range, as in a real shop.
 */
const idOf = (n: string) =>
  `(lpad(to_hex(${n}::bigint * 4096 % 4294967296), 8, '0') || substr(gen_random_uuid()::text, 9))::uuid`

type Buyers = { sellers: number; shopperId: string; hasSandbox: boolean }

/**
 * Adds orders until there are `count`. The buyers are the load-test accounts after the first `sellers`, or else the
 * shopper. One of twenty failed unpaid, the others are paid and delivered. One of ten is reviewed.
 */
export async function addOrders(pool: pg.Pool, count: number, { sellers, shopperId, hasSandbox }: Buyers) {
  const { rows } = await pool.query<{ last: number }>(
    `SELECT coalesce(max(split_part(checkout_key, ' ', 2)::int), 0) AS last FROM orders WHERE checkout_key LIKE 'load %'`,
  )
  let last = only(rows).last
  const text = `${ORDERS}${hasSandbox ? CAPTURES : ''} ${ENTITLEMENTS}`
  async function add() {
    const client = await pool.connect()
    try {
      await client.query(`CREATE TEMP TABLE load_goods AS
        SELECT row_number() OVER (ORDER BY id) - 1 AS n, id AS product_id, seller_id, title, price_cents, file_id
        FROM products WHERE is_listed AND delivery = 'file' AND price_cents > 0`)
      await client.query(`CREATE TEMP TABLE load_buyers AS
        SELECT n - ${sellers} AS n, id AS user_id FROM ${LOAD_USERS} u WHERE n >= ${sellers}
        UNION ALL SELECT 0, '${shopperId}' WHERE NOT EXISTS (SELECT FROM ${LOAD_USERS} u)`)
      await client.query('ANALYZE load_goods; ANALYZE load_buyers')
      while (last < count) {
        const from = last + 1
        last = Math.min(last + BATCH, count)
        await client.query(text, [from, last])
      }
    } finally {
      client.release()
    }
  }
  if (last < count) await Promise.all(Array.from({ length: CONNECTIONS }, add))
  const { rows: lines } = await pool.query<{ id: string }>(UNREVIEWED)
  // One transaction at a time, because each review updates the store's rating.
  for (let i = 0; i < lines.length; i += REVIEWS_AT_ONCE)
    await pool.query(REVIEWS, [lines.slice(i, i + REVIEWS_AT_ONCE).map(({ id }) => id)])
  await pool.query(SALES)
}

const USERS = `WITH made AS (
    INSERT INTO users (id, email, email_verified, first_name, last_name, name, created_at)
    SELECT ${idOf('n')}, 'load' || n || '@primo.example', true, first, last, first || ' ' || last, now() - interval '300 days'
    FROM (SELECT n, (string_to_array('Ada Ben Cleo Dana Eli Fay Gus Hana Ivo Jun Kim Lea Max Nia Otto Pia', ' '))[n % 16 + 1] AS first,
      (string_to_array('Abel Brandt Costa Diaz Evans Fischer Gray', ' '))[n % 7 + 1] AS last
      FROM generate_series($1::int, $2::int) n) person
    RETURNING id)
  INSERT INTO accounts (account_id, provider_id, user_id, password) SELECT id, 'credential', id, $3::text FROM made`

const FEE_PERCENT = 5

// The first products get more orders, as popular products do.
const ORDERS = `WITH placed AS MATERIALIZED (
    SELECT order_n.n, ${idOf('order_n.n')} AS id, ${idOf('order_n.n')} AS payment_id, user_id, order_n.n % 20 <> 0 AS is_paid,
      now() - random() * interval '200 days' - interval '1 day' AS at,
      floor(power(random(), 2) * (SELECT count(*) FROM load_goods))::bigint AS good
    FROM generate_series($1::int, $2::int) AS order_n (n)
    JOIN load_buyers b ON b.n = order_n.n % (SELECT count(*) FROM load_buyers)),
  lines AS MATERIALIZED (
    SELECT ${idOf('p.n')} AS id, p.id AS order_id, p.n, p.user_id, p.is_paid, p.at, position, g.product_id, seller_id, title, price_cents, price_cents * ${FEE_PERCENT} / 100 AS fee_cents, file_id
    FROM placed p CROSS JOIN generate_series(0, (p.n % 3 = 0)::int) position
    JOIN load_goods g ON g.n = (p.good + position) % (SELECT count(*) FROM load_goods)),
  sums AS MATERIALIZED (SELECT order_id AS id, sum(price_cents)::bigint AS cents FROM lines GROUP BY 1),
  paid AS MATERIALIZED (
    SELECT id, n, payment_id, at, cents, ${idOf('n')} AS transfer_id,
      'LOADO' || upper(left(replace(payment_id::text, '-', ''), 12)) || n AS provider_order_id,
      'LOADC' || upper(left(replace(payment_id::text, '-', ''), 12)) || n AS capture_id
    FROM placed JOIN sums USING (id) WHERE is_paid),
  new_orders AS (
    INSERT INTO orders (id, user_id, checkout_key, request_hash, status, source, total_cents, payment_method, payment_id,
      created_at, updated_at, expires_at, completed_at)
    SELECT id, user_id, 'load ' || p.n, 'load', CASE WHEN is_paid THEN 'completed' ELSE 'failed' END, 'cart', sums.cents,
      '${MAIN_METHOD}', paid.capture_id, p.at, p.at, p.at + interval '30 minutes', CASE WHEN is_paid THEN p.at END
    FROM placed p JOIN sums USING (id) LEFT JOIN paid USING (id)),
  new_lines AS (
    INSERT INTO order_lines (id, order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
    SELECT id, order_id, position, product_id, seller_id, title, price_cents, 1, 'file', file_id FROM lines),
  new_earnings AS (
    INSERT INTO earnings (order_line_id, order_id, seller_id, gross_cents, fee_cents, earned_at, available_at)
    SELECT id, order_id, seller_id, price_cents, fee_cents, at, at + interval '7 days' FROM lines WHERE is_paid),
  new_events AS (
    INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code, created_at)
    SELECT id, nullif(step.from_status, ''), step.to_status, step.reason, step.reason, at
    FROM placed CROSS JOIN LATERAL (VALUES (0, '', 'pending', 'placed'),
      (1, 'pending', CASE WHEN is_paid THEN 'completed' ELSE 'failed' END, CASE WHEN is_paid THEN 'paid' ELSE 'expired' END))
      AS step (n, from_status, to_status, reason)
    ORDER BY placed.n, step.n),
  new_payments AS (
    INSERT INTO payments (id, order_id, provider, mode, status, amount_cents, provider_order_id, provider_capture_id, created_at, updated_at)
    SELECT payment_id, id, '${MAIN_METHOD}', 'sandbox', 'captured', cents, provider_order_id, capture_id, at, at FROM paid),
  new_entries AS (
    INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id, created_at)
    SELECT transfer_id, 'provider:${MAIN_METHOD}:sandbox', cents, payment_id, at FROM paid
    UNION ALL
    SELECT transfer_id, 'seller:' || seller_id, -sum(price_cents - fee_cents), payment_id, paid.at
    FROM lines JOIN paid ON paid.id = order_id GROUP BY transfer_id, seller_id, payment_id, paid.at
    UNION ALL
    SELECT transfer_id, 'fees', -sum(fee_cents), payment_id, paid.at
    FROM lines JOIN paid ON paid.id = order_id GROUP BY transfer_id, payment_id, paid.at HAVING sum(fee_cents) > 0)`

const CAPTURES = `, new_captures AS (
    INSERT INTO sandbox.records (kind, id, order_id, body, created_at, updated_at)
    SELECT 'capture', capture_id, provider_order_id, json_build_object('id', capture_id, 'orderId', provider_order_id,
      'status', 'COMPLETED', 'cents', cents, 'currency', 'USD', 'refundedCents', 0, 'customId', payment_id,
      'invoiceId', payment_id, 'createTime', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), at, at FROM paid)`

const ENTITLEMENTS = `INSERT INTO entitlements (id, order_line_id, user_id, product_id, file_id, created_at)
  SELECT ${idOf('n')}, id, user_id, product_id, file_id, at FROM lines WHERE is_paid`

const UNREVIEWED = `SELECT l.id FROM orders o JOIN order_lines l ON l.order_id = o.id AND l.position = 0
  LEFT JOIN reviews r ON r.order_line_id = l.id
  WHERE o.status = 'completed' AND o.checkout_key LIKE 'load %1' AND r.id IS NULL`
const REVIEWS = `INSERT INTO reviews (product_id, order_line_id, user_id, stars, created_at)
  SELECT l.product_id, l.id, o.user_id, 3 + floor(sqrt(random()) * 3)::int, o.created_at + interval '1 hour'
  FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.id = ANY($1::uuid[]) ON CONFLICT DO NOTHING`

/** Adds the sales in one statement. The shop's job handles 500 at a time and would need minutes. */
const SALES = `WITH taken AS (
    DELETE FROM seller_events e USING order_lines l, orders o
    WHERE l.id = e.order_line_id AND o.id = l.order_id AND o.checkout_key LIKE 'load %'
    RETURNING e.*, l.product_id, l.order_id),
  sold AS MATERIALIZED (SELECT * FROM taken WHERE kind = 'sale'),
  counted AS (
    UPDATE product_counts c SET sales = c.sales + s.lines
    FROM (SELECT product_id, count(*) AS lines FROM sold GROUP BY 1) s WHERE c.product_id = s.product_id)
  INSERT INTO sales_days AS d (seller_id, kind, day, key, orders, sales, gross_cents, fee_cents)
  SELECT seller_id, k.kind, day, k.key, sum(orders), sum(sales), sum(gross_cents), sum(fee_cents)
  FROM sold CROSS JOIN LATERAL (VALUES ('all', ''), ('country', ''), ('product', product_id::text)) k (kind, key)
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET orders = d.orders + excluded.orders, sales = d.sales + excluded.sales,
    gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents`
