import { expect, onTestFinished, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { give } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { addToCart } from '../../cart/cart.contract.ts'
import { capturePayment, placeOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { requestRefund } from '../../aftersale/refunds/request.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { refundedCents } from '../../purchases/order.rules.ts'
import { findOrders, listWaits, readOrderFile, type Side, type Wait } from './adminOrders.contract.ts'

const open = openShopForTests()
const joinStaff = () => open.shop.join({ isAdmin: true })
const find = async (staff: Person, q: string) => (await staff.call(findOrders, { q })).map(({ id }) => id)

/** Places an order of a new product, unpaid by default. */
async function place(buyer: Person, title: string, { isPaid = false } = {}) {
  const product = await addProduct(open.shop, { title })
  if (isPaid) return (await buy(open.shop, buyer, product)).id
  const items = [{ productId: product.id, quantity: 1 }]
  const terms = { amount: '10.00', currency: 'USD', intent: 'capture', items } as const
  return (await buyer.call(startPayment, terms)).orderId
}

test('shows all orders to staff only and answers 404 for an unknown one', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const id = await place(ada, 'A quiet book')
  for (const person of [ada, { call: open.shop.call }]) {
    const status = person === ada ? 403 : 401
    await expect(person.call(findOrders, {})).rejects.toMatchObject({ status })
    await expect(person.call(readOrderFile, { id })).rejects.toMatchObject({ status })
  }
  for (const unknown of [crypto.randomUUID(), 'x', id.slice(-8)])
    await expect(staff.call(readOrderFile, { id: unknown })).rejects.toMatchObject({ status: 404 })
})

test('finds an order by number, buyer and product only', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const id = await place(ada, 'Field Notes of a Lighthouse Keeper')
  const other = await place(await open.shop.join(), 'Bread at Dawn')
  const short = id.slice(-8)
  for (const q of [id, id.toUpperCase(), short, `#${short}`, ` ${short} `]) expect(await find(staff, q)).toEqual([id])
  for (const q of [ada.email, ada.email.toUpperCase()]) expect(await find(staff, q)).toEqual([id])
  for (const q of ['lighthouse', 'Lighthouses', 'keep', 'notes lightho', '"field notes"'])
    expect(await find(staff, q)).toEqual([id])
  const accented = await place(await open.shop.join(), 'Corner Café Vouchers')
  for (const q of ['café', 'cafe', 'corner caf', 'CAFÉ vouch']) expect(await find(staff, q), q).toEqual([accented])
  expect(await find(staff, 'person')).toEqual(expect.arrayContaining([id, other, accented]))
  for (const q of ['00000000', crypto.randomUUID(), 'p_rson', '%', 'nobody@test.example', 'zeppelin', '- !', "';"])
    expect(await find(staff, q)).toEqual([])
})

test('shows staff a buyer’s international domain in Unicode, and finds the order by either form', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const id = await place(ada, 'A quiet book')
  await open.shop.database.pool.query(`UPDATE users SET email = 'ada@xn--bcher-kva.example' WHERE id = $1`, [ada.id])
  for (const q of ['ada@bücher.example', 'ada@xn--bcher-kva.example'])
    expect(await staff.call(findOrders, { q })).toMatchObject([{ id, buyer: 'ada@bücher.example' }])
  expect((await staff.call(readOrderFile, { id })).buyer.email).toBe('ada@bücher.example')
})

test('finds the paid orders of a seller by the whole email address or its start', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const [product, other] = [
    await addProduct(open.shop, { title: 'One' }),
    await addProduct(open.shop, { title: 'Two' }),
  ]
  const { pool } = open.shop.database
  await pool.query('UPDATE users SET email = $2 WHERE id = (SELECT seller_id FROM products WHERE id = $1)', [
    ...[product.id, 'mara.seller@shop.co'],
  ])
  const sold = await buy(open.shop, ada, product)
  await buy(open.shop, ada, other)
  for (const q of ['mara.seller@shop.co', 'mara.sel']) expect(await find(staff, q), q).toEqual([sold.id])
})

test('shows each seller of an order once, with the method of payment', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const products = [await addProduct(open.shop), await addProduct(open.shop), await addProduct(open.shop)]
  const [mara, leo] = [await open.shop.join(), await open.shop.join()]
  const { pool } = open.shop.database
  await pool.query(`UPDATE users SET email = 'mara@xn--bcher-kva.example' WHERE id = $1`, [mara.id])
  for (const [i, { id }] of products.entries())
    await pool.query('UPDATE products SET seller_id = $2 WHERE id = $1', [id, i < 2 ? mara.id : leo.id])
  const items = products.map(({ id: productId }) => ({ productId, quantity: 1 }))
  const terms = { amount: '30.00', currency: 'USD', intent: 'capture', items } as const
  await ada.call(startPayment, terms)
  const read = async () => (await staff.call(findOrders, { q: ada.email }))[0]!
  const sellers = [leo.email, 'mara@bücher.example'].sort()
  expect(await read()).toMatchObject({ sellers, paymentMethod: 'paypal' })
  await pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [leo.id])
  expect((await read()).sellers).toEqual(['mara@bücher.example'])
})

test('finds an order by its capture id or the last eight characters of it', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const id = await place(ada, 'A paid book', { isPaid: true })
  await place(ada, 'Another paid book', { isPaid: true })
  const { paymentId } = await ada.call(getOrder, { id })
  const short = paymentId!.slice(-8)
  for (const q of [paymentId!, paymentId!.toLowerCase(), short, ` ${short.toLowerCase()} `])
    expect(await find(staff, q), q).toEqual([id])
  expect(await find(staff, paymentId!.slice(0, 8))).toEqual([])
})

test('matches a full address exactly and not as a prefix of others', async () => {
  const [ada, eve, staff] = [await open.shop.join(), await open.shop.join(), await joinStaff()]
  const { pool } = open.shop.database
  await pool.query('UPDATE users SET email = $2 WHERE id = $1', [ada.id, 'kim@shop.co'])
  await pool.query('UPDATE users SET email = $2 WHERE id = $1', [eve.id, 'kim@shop.com'])
  const [hers, others] = [await place(ada, 'One'), await place(eve, 'Two')]
  expect(await find(staff, 'kim@shop.co')).toEqual([hers])
  expect(await find(staff, 'kim@shop')).toEqual([others, hers])
  await pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [eve.id])
  expect(await find(staff, 'kim@shop.com')).toEqual([])
  expect(await staff.call(findOrders, { q: others })).toMatchObject([{ buyer: null }])
})

test('lists orders newest first in pages and filters by status', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift(await place(ada, `Almanac of ${i}`, { isPaid: i === 2 }))
  // three orders with the same time, sorted by id
  const { pool } = open.shop.database
  await pool.query(`UPDATE orders SET created_at = now() - interval '1 day' WHERE id = ANY ($1)`, [ids.slice(1, 4)])
  const expected = [ids[0], ids[4], ...ids.slice(1, 4).sort().toReversed()]
  // matches by buyer and by title
  for (const q of [ada.email, 'almanac']) {
    const seen: string[] = []
    for (let path: string | undefined = `/api/admin/orders?limit=2&q=${encodeURIComponent(q)}`; path;) {
      const response: Response = await fetch(open.shop.url + path, { headers: { cookie: staff.cookie } })
      seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id))
      path = response.headers.get('link')?.match(/<(.+)>/)?.[1]
    }
    expect(seen).toEqual(expected)
  }
  const paid = await staff.call(findOrders, { q: ada.email, status: 'completed' })
  expect(paid).toMatchObject([{ id: ids[2], status: 'completed', titles: ['Almanac of 2'], lineCount: 1 }])
  expect((await staff.call(findOrders, {}))[0]).toMatchObject({ id: ids[0], buyer: ada.email, total: '10.00' })
  for (const query of ['limit=0', 'limit=101', 'status=lost', 'after=x', 'q=%00', `q=${'x'.repeat(255)}`]) {
    const answer = await fetch(`${open.shop.url}/api/admin/orders?${query}`, { headers: { cookie: staff.cookie } })
    expect(answer.status, query).toBe(400)
  }
})

test('finds only what an address bought, or only what it sold', async () => {
  const [mara, staff] = [await open.shop.join(), await joinStaff()]
  const product = await addProduct(open.shop, { title: 'Sold by Mara' })
  await open.shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [mara.id, product.id])
  const sold = (await buy(open.shop, await open.shop.join(), product)).id
  const bought = await place(mara, 'Bought by Mara', { isPaid: true })
  const idsOf = async (side?: Side) => (await staff.call(findOrders, { q: mara.email, side })).map(({ id }) => id)
  expect([await idsOf('buyer'), await idsOf('seller')]).toEqual([[bought], [sold]])
  expect(await idsOf()).toEqual([bought, sold])
})

test('filters orders by what they wait for and from whom', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { pool } = open.shop.database
  const [asked, held, disputed] = [
    await place(ada, 'Asked', { isPaid: true }),
    await place(ada, 'Held', { isPaid: true }),
    await place(ada, 'Disputed', { isPaid: true }),
  ]
  const { lines } = await ada.call(getOrder, { id: asked })
  await ada.call(requestRefund, { id: asked, lineIds: [lines[0]!.id], reason: 'other', note: '' })
  for (const kind of ['step_up', 'hold'])
    await pool.query(
      `INSERT INTO risk_holds (order_id, user_id, kind, decision_id, payment_id, is_cleared_by_confirming, ends_at)
        SELECT d.order_id, o.user_id, $2::text, d.id, CASE WHEN $2::text = 'hold' THEN p.id END, false, now() + interval '1 day'
        FROM risk_decisions d JOIN orders o ON o.id = d.order_id JOIN payments p ON p.order_id = o.id WHERE o.id = $1 LIMIT 1`,
      [held, kind],
    )
  await pool.query(
    `INSERT INTO disputes (payment_id, order_id, user_id, provider, provider_dispute_id, state, amount_cents, reason, opened_at)
      SELECT p.id, p.order_id, $2, p.provider, 'of a test', 'under_review', 1000, 'x', now() FROM payments p WHERE p.order_id = $1`,
    [disputed, ada.id],
  )
  const idsOf = async (status: Wait) => (await staff.call(findOrders, { q: ada.email, status })).map(({ id }) => id)
  expect(await idsOf('refund-requested')).toEqual([asked])
  expect(await idsOf('held')).toEqual([held])
  expect(await idsOf('waits-for-buyer')).toEqual([held])
  expect(await idsOf('waits-for-provider')).toEqual([disputed])
  expect(await idsOf('dispute-to-answer')).toEqual([])
  const waits = (await staff.call(findOrders, { q: ada.email })).map((order) => order.waits)
  expect(waits).toEqual([['waits-for-provider'], ['held', 'waits-for-buyer'], ['refund-requested']])
  const everybody = async (status: Wait) => (await staff.call(findOrders, { status })).length
  for (const { wait, count } of await staff.call(listWaits, {})) expect(await everybody(wait), wait).toBe(count)
  expect((await staff.call(listWaits, {})).map(({ wait }) => wait)).toEqual(
    expect.arrayContaining(['refund-requested', 'held', 'waits-for-buyer', 'waits-for-provider']),
  )
  await expect(ada.call(listWaits, {})).rejects.toMatchObject({ status: 403 })
})

test('shows staff and the buyer the same refunded amount', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const { checkout } = open.shop
  const plain = await place(ada, 'Rye', { isPaid: true })
  // credit pays a part and is returned with the last refund
  await give(open.shop, ada, 400)
  const { id: book } = await addProduct(open.shop, { title: 'Oats' })
  const terms = { amount: '10.00', credit: '4.00', currency: 'USD', intent: 'capture' } as const
  const items = [{ productId: book, quantity: 1 }]
  const { id, orderId: mixed } = await ada.call(startPayment, { ...terms, items })
  await provider(open.shop).approve(id)
  await ada.call(capturePayment, { id })
  const shown = async () => {
    const found = await staff.call(findOrders, { q: ada.email })
    for (const { id, refunded } of found)
      expect(refundedCents(await ada.call(getOrder, { id }))).toBe(Math.round(Number(refunded) * 100))
    return Object.fromEntries(found.map(({ id, refunded }) => [id, refunded]))
  }
  const giveBack = async (order: string, cents?: number) =>
    runRefund(checkout, (await refundOrder(checkout, order, 'a page is missing', cents)).id)
  const asked = await refundOrder(checkout, plain, 'not made yet', 100)
  expect(await shown()).toEqual({ [plain]: '0.00', [mixed]: '0.00' })
  await runRefund(checkout, asked.id)
  await giveBack(mixed, 250)
  expect(await shown()).toEqual({ [plain]: '1.00', [mixed]: '2.50' })
  await refundOrder(checkout, plain, 'not made yet', 50)
  await giveBack(mixed)
  expect(await shown()).toEqual({ [plain]: '1.00', [mixed]: '10.00' })
  // a refund of credit appears in refunds and credit entries, and must count once
  const { id: grain } = await addProduct(open.shop, { title: 'Barley' })
  await ada.call(addToCart, { productId: grain, quantity: 1 })
  await give(open.shop, ada, 600)
  const { id: covered } = await ada.call(placeOrder, {
    items: [{ productId: grain, quantity: 1, price: '10.00' }],
    ...{ total: '10.00', credit: '10.00', paymentMethod: 'paypal', paymentId: `paypal_${crypto.randomUUID()}` },
  })
  await giveBack(covered)
  expect(await shown()).toEqual({ [plain]: '1.00', [mixed]: '10.00', [covered]: '10.00' })
})

test('finds the newest of thousands of matching orders', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const id = await place(ada, 'Calendar')
  const { pool } = open.shop.database
  // inserts without triggers, because they would notify every open page of each row
  await open.shop.asOwner('ALTER TABLE orders DISABLE TRIGGER USER')
  await pool.query(
    `INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at, created_at)
      SELECT user_id, 'old ' || i, 'x', source, total_cents, expires_at, created_at - i * interval '1 minute'
      FROM orders, generate_series(1, 2100) i WHERE id = $1`,
    [id],
  )
  await open.shop.asOwner('ALTER TABLE orders ENABLE TRIGGER USER')
  await pool.query(
    `INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
      SELECT o.id, 0, product_id, seller_id, title, price_cents, quantity, delivery, file_id
      FROM order_lines, orders o WHERE order_id = $1 AND o.checkout_key LIKE 'old %'`,
    [id],
  )
  const found = await staff.call(findOrders, { q: 'calendars', limit: 3 })
  const times = found.map(({ createdAt }) => createdAt)
  expect(found[0]!.id).toBe(id)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(found).toHaveLength(3)
  expect(await staff.call(findOrders, { q: 'calendar', status: 'completed' })).toEqual([])
})

test('returns buyer, lines, deliveries, payments and risk of an order', async () => {
  const [ada, staff] = [await open.shop.join({ firstName: 'Ada' }), await joinStaff()]
  const id = await place(ada, 'Salt', { isPaid: true })
  const captures = (await (await fetch(`${open.shop.url}/sandbox/paypal/test/captures`)).json()) as { id: string }[]
  const file = await staff.call(readOrderFile, { id })
  expect(file).toMatchObject({
    buyer: { id: ada.id, name: 'Ada Person', email: ada.email, orders: 1 },
    lines: [{ title: 'Salt', delivery: 'file', deliveredAt: expect.any(String) as string, closedAt: null, uses: [] }],
    events: [{ status: 'pending' }, { status: 'completed', code: 'paid', reason: null }],
    payments: [{ provider: 'paypal', mode: 'sandbox', status: 'captured', amount: '10.00', declines: 0 }],
    ...{ refunds: [], total: '10.00', credit: '0.00', risk: { decision: 'allow', hold: null } },
    ...{ mails: [{ sentAt: null, isRefused: false }], areMailsSent: false },
    bonus: { earned: '1.50', takenBack: '0.00' },
    offer: { left: '10.00', bonus: '1.50' },
  })
  expect(captures.map((capture) => capture.id)).toContain(file.payments[0]!.captureId)
})

test('returns the newest hundred uses of a whole order', async () => {
  const [ada, staff] = [await open.shop.join(), await joinStaff()]
  const products = [await addProduct(open.shop), await addProduct(open.shop)]
  const items = products.map(({ id: productId }) => ({ productId, quantity: 1 }))
  const terms = { amount: '20.00', currency: 'USD', intent: 'capture', items } as const
  const { id, orderId } = await ada.call(startPayment, terms)
  await provider(open.shop).approve(id)
  await ada.call(capturePayment, { id })
  await open.shop.database.pool.query(
    `INSERT INTO delivery_events (entitlement_id, kind, user_id)
      SELECT e.id, 'reveal', $2 FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id, generate_series(1, 60)
      WHERE l.order_id = $1 ORDER BY l.position`,
    [orderId, ada.id],
  )
  const { lines } = await staff.call(readOrderFile, { id: orderId })
  expect(lines.map(({ uses }) => uses.length)).toEqual([40, 60])
})

test('returns whether the mails of an order are sent', async () => {
  const shop = await openTestShop({ SMTP_URL: 'smtp://127.0.0.1:1' })
  onTestFinished(() => shop.close())
  const [ada, staff] = [await shop.join(), await shop.join({ isAdmin: true })]
  const items = [{ productId: (await addProduct(shop)).id, quantity: 1 }]
  const { orderId } = await ada.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
  expect((await staff.call(readOrderFile, { id: orderId })).areMailsSent).toBe(true)
})
