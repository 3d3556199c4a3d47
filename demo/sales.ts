import { randomBytes } from 'node:crypto'
import type { Shop } from '../src/app/shop.server.ts'
import { askForPerson, sendChat } from '../src/support/chat/chat.contract.ts'
import { askRefund } from '../src/aftersale/refunds/refund.contract.ts'
import { send } from '../src/kit/call.ts'
import type { Endpoint, Input, Reply } from '../src/kit/contract.ts'
import { toDecimal } from '../src/kit/money.ts'
import { report } from '../src/moderation/moderation.contract.ts'
import { type FeeTerms, feeOf } from '../src/payments/fee.rules.ts'
import { MAIN_METHOD } from '../src/payments/methods.ts'
import { approvePayouts, requestPayout, savePayoutDetails } from '../src/payments/payouts/payouts.contract.ts'
import { idOf } from './made.ts'
import { readContent } from './seed.ts'

// Sales of the demo seller. Inserts the paid orders of past weeks as rows, so that every constraint and trigger
// applies. Makes the refund, payout, report and chat through API calls of demo users.

export type DemoSales = {
  buyers: { email: string; firstName: string; lastName: string }[]
  /** `buyer` is an index into `buyers`. */
  sales: { daysAgo: number; buyer: number; lines: [slug: string, copies: number][]; end?: 'refunded' | 'disputed' }[]
  refundReason: string
  payout: string
  report: { buyer: number; product: string; reason: string; note: string }
  chat: { buyer: number; message: string }
}

type People = { seller: string; admin: string }
type Open = Pick<Shop, 'database' | 'identity' | 'server'> & { fee: FeeTerms; payoutHoldDays: number }

export const readSales = () => readContent<DemoSales>('sales.json')

/** Adds the sales, a refund, payout, dispute, report and chat. Returns false if orders exist. Needs the sandbox. */
export async function addSales(shop: Open, people: People): Promise<boolean> {
  const { db, pool } = shop.database
  if (await db.selectFrom('orders').select('id').limit(1).executeTakeFirst()) return false
  const content = readSales()
  const buyerIds: string[] = []
  for (const buyer of content.buyers)
    buyerIds.push(
      await shop.identity.createUser({
        ...buyer,
        role: 'member',
        password: randomBytes(24).toString('base64url'),
        emailVerified: true,
      }),
    )
  const orders = await makeOrders(shop, content.sales, buyerIds)
  await pool.query(ORDERS, [JSON.stringify(orders), shop.payoutHoldDays])
  await pool.query(VIEWS, [JSON.stringify(orders)])

  const as = async (email: string) => {
    const cookie = await shop.identity.createSession(email)
    return <E extends Endpoint>(
      endpoint: E,
      input: Input<E>,
      headers: Record<string, string> = {},
    ): Promise<Reply<E>> => send(endpoint, input, { base: shop.server.url, headers: { cookie, ...headers } })
  }
  const [seller, admin] = [await as(people.seller), await as(people.admin)]
  const emailOf = (buyer: number) => content.buyers[buyer]?.email ?? ''

  for (const { id, cents, end } of orders) {
    const sum = toDecimal(cents)
    if (end === 'refunded')
      await admin(
        askRefund,
        { id, amount: sum, left: sum, reason: content.refundReason, isCodeSeen: false },
        { 'idempotency-key': `demo ${id}` },
      )
    if (end === 'disputed') await dispute(shop, id)
  }

  await seller(savePayoutDetails, { details: { method: 'paypal', email: people.seller } })
  await pool.query(
    'UPDATE payout_details SET waits_until = NULL WHERE user_id = (SELECT id FROM users WHERE email = $1)',
    [people.seller],
  )
  await seller(requestPayout, { amount: content.payout })
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM payouts WHERE state = 'requested'`)
  await admin(approvePayouts, { ids: rows.map(({ id }) => id) })

  const { buyer, product, ...complaint } = content.report
  const reporter = await as(emailOf(buyer))
  await reporter(report, { id: idOf(product), ...complaint })
  const customer = await as(emailOf(content.chat.buyer))
  await customer(sendChat, { message: content.chat.message })
  await customer(askForPerson, { isWanted: true })
  return true
}

async function makeOrders({ database: { db }, fee }: Open, sales: DemoSales['sales'], buyerIds: string[]) {
  const slugs = new Set(sales.flatMap(({ lines }) => lines.map(([slug]) => slug)))
  const rows = await db
    .selectFrom('products')
    .select(['id', 'sellerId', 'title', 'priceCents', 'fileId'])
    .where('id', 'in', [...slugs].map(idOf))
    .execute()
  const products = new Map(rows.map((row) => [row.id, row]))
  return sales.flatMap(({ daysAgo, buyer, lines, end }, n) => {
    const goods = lines.flatMap(([slug, quantity]) => {
      const product = products.get(idOf(slug))
      if (!product) return []
      const grossCents = product.priceCents * quantity
      return [{ ...product, lineId: crypto.randomUUID(), quantity, grossCents, feeCents: feeOf(grossCents, fee) }]
    })
    if (goods.length === 0) return []
    const paymentId = crypto.randomUUID()
    const ref = paymentId.replaceAll('-', '').slice(0, 14).toUpperCase()
    return {
      ...{ id: crypto.randomUUID(), key: `demo ${n}`, userId: buyerIds[buyer], end, paymentId },
      ...{ transferId: crypto.randomUUID(), providerOrderId: `DEMOO${ref}`, captureId: `DEMOC${ref}` },
      hours: daysAgo * 24 - ((n * 5) % 13),
      cents: goods.reduce((sum, { grossCents }) => sum + grossCents, 0),
      lines: goods.map((line, position) => ({ ...line, position })),
    }
  })
}

async function dispute({ database: { db }, server }: Open, orderId: string) {
  const { providerCaptureId } = await db
    .selectFrom('payments')
    .select('providerCaptureId')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const response = await fetch(`${server.url}/sandbox/paypal/test/captures/${providerCaptureId}/dispute`, {
    method: 'POST',
  })
  if (!response.ok) throw new Error(`the sandbox opened no dispute: ${response.status} ${await response.text()}`)
}

const GIVEN = `json_to_recordset($1::json) AS given (id uuid, key text, "userId" uuid, "paymentId" uuid, "transferId" uuid,
  "providerOrderId" text, "captureId" text, hours int, cents bigint, lines json)`

const ORDERS = `WITH given AS MATERIALIZED (SELECT *, now() - hours * interval '1 hour' AS at FROM ${GIVEN}),
  lines AS MATERIALIZED (
    SELECT g.id AS order_id, g."userId" AS user_id, g.at, g."paymentId" AS payment_id, g."transferId" AS transfer_id, l.*
    FROM given g CROSS JOIN json_to_recordset(g.lines) AS l ("lineId" uuid, position int, id uuid, "sellerId" uuid, title text,
      "priceCents" bigint, quantity int, "grossCents" bigint, "feeCents" bigint, "fileId" uuid)),
  new_orders AS (
    INSERT INTO orders (id, user_id, checkout_key, request_hash, status, source, total_cents, payment_method, payment_id,
      created_at, updated_at, expires_at, completed_at)
    SELECT id, "userId", key, 'demo', 'completed', 'cart', cents, '${MAIN_METHOD}', "captureId", at, at, at + interval '30 minutes', at
    FROM given),
  new_lines AS (
    INSERT INTO order_lines (id, order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
    SELECT "lineId", order_id, position, id, "sellerId", title, "priceCents", quantity, 'file', "fileId" FROM lines),
  new_earnings AS (
    INSERT INTO earnings (order_line_id, order_id, seller_id, gross_cents, fee_cents, earned_at, available_at)
    SELECT "lineId", order_id, "sellerId", "grossCents", "feeCents", at, at + $2::int * interval '1 day' FROM lines),
  new_events AS (
    INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code, created_at)
    SELECT id, step.from_status, step.to_status, step.reason, step.reason, at
    FROM given CROSS JOIN (VALUES (0, NULL, 'pending', 'placed'), (1, 'pending', 'completed', 'paid'))
      AS step (n, from_status, to_status, reason)
    ORDER BY at, id, step.n),
  new_payments AS (
    INSERT INTO payments (id, order_id, provider, mode, status, amount_cents, provider_order_id, provider_capture_id, created_at, updated_at)
    SELECT "paymentId", id, '${MAIN_METHOD}', 'sandbox', 'captured', cents, "providerOrderId", "captureId", at, at FROM given),
  new_entries AS (
    INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id, created_at)
    SELECT "transferId", 'provider:${MAIN_METHOD}:sandbox', cents, "paymentId", at FROM given
    UNION ALL
    SELECT transfer_id, 'seller:' || "sellerId", -sum("grossCents" - "feeCents"), payment_id, at
    FROM lines GROUP BY transfer_id, "sellerId", payment_id, at HAVING sum("grossCents" - "feeCents") > 0
    UNION ALL
    SELECT transfer_id, 'fees', -sum("feeCents"), payment_id, at
    FROM lines GROUP BY transfer_id, payment_id, at HAVING sum("feeCents") > 0),
  new_captures AS (
    INSERT INTO sandbox.records (kind, id, order_id, body, created_at, updated_at)
    SELECT 'capture', "captureId", "providerOrderId", json_build_object('id', "captureId", 'orderId', "providerOrderId",
      'status', 'COMPLETED', 'cents', cents, 'currency', 'USD', 'refundedCents', 0, 'customId', "paymentId",
      'invoiceId', "paymentId", 'createTime', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), at, at FROM given)
  INSERT INTO entitlements (id, order_line_id, user_id, product_id, file_id, created_at)
  SELECT gen_random_uuid(), "lineId", user_id, id, "fileId", at FROM lines`

const VIEWS = `WITH seen AS (
    SELECT l."sellerId" AS seller_id, l.id AS product_id, utc_day(now() - g.hours * interval '1 hour') AS day, 3 * count(*)::int AS views
    FROM ${GIVEN.replace('AS given', 'AS g')} CROSS JOIN json_to_recordset(g.lines) AS l (id uuid, "sellerId" uuid) GROUP BY 1, 2, 3)
  INSERT INTO sales_days (seller_id, kind, day, key, views)
  SELECT seller_id, 'all', day, '', sum(views)::int FROM seen GROUP BY seller_id, day
  UNION ALL SELECT seller_id, 'product', day, product_id::text, views FROM seen
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET views = sales_days.views + excluded.views`
