import { inTransaction } from '../src/kit/database.server.ts'
import type { TestShop } from '../test/shop.ts'
import type { History, Purchase } from './honest.ts'
import { only } from '../src/kit/values/required.ts'

// Writes honest histories to the database, then evaluates today's purchases with the shop's own statement and rules.

export type Counts = { purchases: number; delivered: number; confirmed: number; stopped: string[] }

type Shelf = { sellerId: string; products: Map<string, string> }

export async function openShelf({ database: { pool }, join }: TestShop): Promise<Shelf> {
  const { id: sellerId } = await join()
  const { rows } = await pool.query<{ id: string; category: string }>(
    `INSERT INTO products (seller_id, category_id, title, price_cents, delivery)
     SELECT $1, id, name, 1000, 'code' FROM categories RETURNING id, category_id AS category`,
    [sellerId],
  )
  return { sellerId, products: new Map(rows.map(({ id, category }) => [category, id])) }
}

type Row = Purchase & { userId: string; hoursAgo: number; status: 'completed' | 'failed' | 'pending' }

async function layOrders({ database: { pool } }: TestShop, shelf: Shelf, rows: Row[]) {
  const orders = rows.map(({ userId, category, priceCents, quantity, hoursAgo, status }) => ({
    id: crypto.randomUUID(),
    owner: userId,
    payment: crypto.randomUUID(),
    product: shelf.products.get(category),
    price: priceCents,
    ...{ quantity, hours: hoursAgo, status },
  }))
  const given = JSON.stringify(orders)
  await pool.query(
    `WITH given AS (SELECT * FROM json_to_recordset($1) AS o (id uuid, owner uuid, payment uuid, product uuid, price int, quantity int, hours float, status text)),
     placed AS (
       INSERT INTO orders (id, user_id, checkout_key, request_hash, status, source, total_cents, created_at, expires_at, completed_at)
       SELECT id, owner, id::text, '', status, 'product', price * quantity, now() - hours * interval '1 hour', now() + interval '30 minutes',
         CASE WHEN status = 'completed' THEN now() - hours * interval '1 hour' END FROM given RETURNING id),
     paying AS (
       INSERT INTO payments (id, order_id, provider, mode, status, amount_cents)
       SELECT payment, given.id, 'paypal', 'sandbox', CASE WHEN status = 'pending' THEN 'capturing' ELSE 'failed' END, price * quantity
       FROM given JOIN placed USING (id))
     INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery)
     SELECT given.id, 0, product, $2, 'A product', price, quantity, 'code' FROM given JOIN placed USING (id)`,
    [given, shelf.sellerId],
  )
  return orders
}

export async function insertHistories(shop: TestShop, shelf: Shelf, histories: History[]): Promise<string[]> {
  const { pool } = shop.database
  const people = histories.map((history, n) => ({ ...history, n, userId: crypto.randomUUID() }))
  const users = people.map(({ userId: id, n, mailHost, accountAgeHours: hours }) => {
    return { id, email: `honest${n}@${mailHost}`, hours }
  })
  await pool.query(
    `INSERT INTO users (id, email, created_at) SELECT o.id, o.email, now() - o.hours * interval '1 hour'
     FROM json_to_recordset($1) AS o (id uuid, email text, hours float)`,
    [JSON.stringify(users)],
  )
  const rows: Row[] = people.flatMap(({ userId, past, unpaid, declines }) => [
    ...past.map((bought) => ({ ...bought, userId, status: 'completed' as const })),
    ...Array.from({ length: unpaid + (declines > 0 ? 1 : 0) }, () => ({ ...GIVEN_UP, userId })),
  ])
  const orders = await layOrders(shop, shelf, rows)
  // The last order of each history is the declined one.
  const payments = new Map(orders.map(({ owner, payment }) => [owner, payment]))
  const declined = people.flatMap(({ userId: owner, declines, payer }) =>
    Array.from({ length: declines }, (_, i) => ({
      owner,
      payment: payments.get(owner),
      instrument: `${payer.id}-${i}`,
    })),
  )
  await pool.query(
    `INSERT INTO risk_declines (payment_id, user_id, instrument)
     SELECT o.payment, o.owner, o.instrument FROM json_to_recordset($1) AS o (owner uuid, payment uuid, instrument text)`,
    [JSON.stringify(declined)],
  )
  const hints = people.flatMap(({ userId: owner, hints: said }) => said.map((severity) => ({ owner, severity })))
  await pool.query(
    `INSERT INTO risk_hints (user_id, event_id, type, severity, description, route, user_agent, timezone, screen)
     SELECT o.owner, gen_random_uuid(), 'bot_detected', o.severity, '', '/', '', '', ''
     FROM json_to_recordset($1) AS o (owner uuid, severity text)`,
    [JSON.stringify(hints)],
  )
  return people.map(({ userId }) => userId)
}

const GIVEN_UP = { category: 'gift-cards', priceCents: 2500, quantity: 1, hoursAgo: 1, status: 'failed' as const }

type Customer = { userId: string; n: number; history: History }

export async function buyToday(shop: TestShop, shelf: Shelf, { userId, n, history }: Customer, counts: Counts) {
  const { pool, db } = shop.database
  const { risk } = shop.checkout
  for (const purchase of history.today) {
    const order = only(await layOrders(shop, shelf, [{ ...purchase, userId, hoursAgo: 0, status: 'pending' }]))
    const orderId = order.id
    counts.purchases += 1
    const visitor = { userId, ip: history.network, country: history.country }
    await risk.admit(db, visitor)
    const start = await inTransaction(db, (tx) => risk.evaluateStart(tx, orderId, visitor))
    if (start === 'confirm') {
      counts.confirmed += 1
      await pool.query(
        `UPDATE risk_holds SET state = 'released', resolved_how = 'confirmed', resolved_at = now() WHERE order_id = $1`,
        [orderId],
      )
    }
    const paid =
      start === 'refuse'
        ? 'refuse'
        : await inTransaction(db, (tx) =>
            risk.evaluatePaid(tx, { orderId, userId, paymentId: order.payment, payer: history.payer, isLate: false }),
          )
    if (paid === 'go') counts.delivered += 1
    else counts.stopped.push(`history ${n}: ${await whyStopped(shop, orderId)}`)
    await pool.query(`UPDATE orders SET status = 'completed', completed_at = now() WHERE id = $1`, [orderId])
  }
}

async function whyStopped({ database: { pool } }: TestShop, orderId: string): Promise<string> {
  const { rows } = await pool.query<{ reason: string }>(
    `SELECT stage || ' ' || score || ' ' || reasons::text || ' ' || facts::text AS reason FROM risk_decisions
     WHERE order_id = $1 ORDER BY created_at DESC LIMIT 1`,
    [orderId],
  )
  return rows[0]?.reason ?? ''
}
