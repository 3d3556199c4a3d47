import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { age, fillCart, settleHeld, tryToBuy } from '../../test/riskShop.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { provider } from '../../test/provider.ts'
import { getCart } from '../cart/cart.contract.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { confirmOrder } from '../risk/hold.contract.ts'
import { expireHolds } from '../risk/holds.server.ts'
import { addBlock, approveCase, liftBlock, listBlocks, listRiskCases, refuseCase } from '../risk/riskReview.contract.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { reconcile } from './reconcile.server.ts'
import { runRefund } from '../aftersale/refunds/refund.server.ts'
import { METHOD } from '../../test/payment.ts'

const open = openShopForTests({ TRUST_PROXY: '1', GEO_HEADER: 'X-Country' })

const codesOf = (count: number) => Array.from({ length: count }, () => `CARD-${crypto.randomUUID()}`)
const giftCard = (price: string, codes = 3) =>
  addProduct(open.shop, { price, title: 'A gift card', categoryId: 'gift-cards', codes: codesOf(codes) })
const orderOf = (buyer: Person, id: string) => buyer.call(getOrder, { id })
const codesIn = async (state: string, productId: string) => {
  const { rows } = await open.shop.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM codes WHERE product_id = $1 AND state = $2',
    [productId, state],
  )
  return rows[0]!.n
}
const kept = async () =>
  (await provider(open.shop).captures()).reduce(
    (sum, { amount, refunded }) => sum + Number(amount) - Number(refunded),
    0,
  )
async function refundAll() {
  const rows = await open.shop.database.db
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'requested')
    .execute()
  for (const { id } of rows) await runRefund(open.shop.checkout, id)
}
const decisionsOf = (orderId: string) =>
  open.shop.database.db
    .selectFrom('riskDecisions')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .execute()

/** Creates a new account that paid $2,000 for a card. */
async function heldOrder() {
  const card = await giftCard('2000.00')
  const buyer = await open.shop.join()
  const { orderId, ending } = await tryToBuy(open.shop, buyer, card)
  expect(ending).toBe('held')
  return { card, buyer, orderId: orderId! }
}

test('delivers the first $25 card of a new account and records its score', async () => {
  const card = await giftCard('25.00')
  const buyer = await open.shop.join()
  const { ending, orderId } = await tryToBuy(open.shop, buyer, card)
  expect(ending).toBe('delivered')
  expect((await orderOf(buyer, orderId!)).hold).toBeNull()
  expect(await decisionsOf(orderId!)).toMatchObject([
    { stage: 'start', decision: 'allow', score: 15, reasons: [{ rule: 'newAccount', points: 15 }], weightsVersion: 0 },
    { stage: 'paid', decision: 'allow', score: 15, facts: { dayCents: 2500, dayCashCents: 2500, copies: 1 } },
  ])
})

test('holds goods of $2,000 after the capture and shows the buyer the reason', async () => {
  const { card, buyer, orderId } = await heldOrder()
  const order = await orderOf(buyer, orderId)
  expect(order).toMatchObject({
    status: 'pending',
    lines: [{ delivery: null }],
    hold: { kind: 'hold', why: ['amount', 'newAccount'], isClearedByConfirming: false },
  })
  const hours = (Date.parse(order.hold!.until) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThan(24.1)
  expect(order.expiresAt).toBe(order.hold!.until)
  expect(await codesIn('held', card.id)).toBe(1)
  await settleHeld(open.shop, orderId)
  await reconcile(open.shop.checkout, { idleSeconds: 0 })
  expect((await orderOf(buyer, orderId)).status).toBe('pending')
  expect(await codesIn('held', card.id)).toBe(1)
  expect(await decisionsOf(orderId)).toHaveLength(2)
  const mails = await open.shop.database.db
    .selectFrom('mails')
    .select(['key', 'subject'])
    .where('recipient', '=', buyer.email)
    .execute()
  const subject = `We’re reviewing your order ${orderId.slice(-8)}`
  expect(mails).toEqual([{ key: `held:${orderId}`, subject }])
  // a held order can neither be paid again nor canceled
  const again = { amount: '2000.00', currency: 'USD', intent: 'capture', orderId } as const
  await expect(buyer.call(startPayment, again)).rejects.toMatchObject({ status: 409 })
  const payment = await open.shop.database.db
    .selectFrom('payments')
    .select('providerOrderId')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  await expect(buyer.call(cancelPayment, { id: payment.providerOrderId! })).rejects.toMatchObject({ status: 409 })
})

test('shows staff the facts of a hold and delivers once on release', async () => {
  const { card, buyer, orderId } = await heldOrder()
  const staff = await open.shop.join({ isAdmin: true })
  await expect(buyer.call(listRiskCases, { state: 'open' })).rejects.toMatchObject({ status: 403 })
  const cases = await staff.call(listRiskCases, { state: 'open' })
  expect(cases.find((one) => one.orderId === orderId)).toMatchObject({
    buyer: buyer.email,
    total: '2000.00',
    score: 75,
    lines: [{ title: 'A gift card', quantity: 1 }],
    facts: { dayCashCents: 200_000, networkAccounts: expect.any(Number) as number },
  })
  await staff.call(approveCase, { orderId })
  const { rows: jobs } = await open.shop.database.pool.query(
    `SELECT run_at <= now() AS "isDue" FROM graphile_worker.jobs
     WHERE key = 'reconcile:' || (SELECT id FROM payments WHERE order_id = $1)`,
    [orderId],
  )
  expect(jobs).toEqual([{ isDue: true }])
  await settleHeld(open.shop, orderId)
  expect(await orderOf(buyer, orderId)).toMatchObject({
    status: 'completed',
    hold: null,
    lines: [{ delivery: { kind: 'code', count: 1 } }],
  })
  const receipts = open.shop.database.db.selectFrom('mails').select('bodyText').where('key', '=', `receipt:${orderId}`)
  expect((await receipts.executeTakeFirstOrThrow()).bodyText).toContain('Total: $2,000.00')
  expect(await codesIn('sold', card.id)).toBe(1)
  await expect(staff.call(refuseCase, { orderId })).rejects.toMatchObject({ status: 409, code: 'decided' })
  const decided = await staff.call(listRiskCases, { state: 'decided' })
  expect(decided.find((one) => one.orderId === orderId)).toMatchObject({ state: 'released', resolvedHow: 'approved' })
  const acts = await open.shop.database.db.selectFrom('audit').select('act').where('subjectId', '=', orderId).execute()
  expect(acts).toEqual([{ act: 'risk.approved' }])
})

test('refunds everything and releases the codes when staff refuse', async () => {
  const before = await kept()
  const { card, buyer, orderId } = await heldOrder()
  expect(await kept()).toBe(before + 2000)
  const balances = async () => {
    const { rows } = await open.shop.database.pool.query<{ account: string; cents: number }>(
      `SELECT account, sum(amount_cents)::int AS cents FROM ledger_entries WHERE payment_id IN
        (SELECT id FROM payments WHERE order_id = $1) GROUP BY 1 ORDER BY 1`,
      [orderId],
    )
    return rows.map(({ account, cents }) => [account, cents])
  }
  expect(await balances()).toEqual([
    ['provider:paypal:sandbox', 200_000],
    ['review', -200_000],
  ])
  const staff = await open.shop.join({ isAdmin: true })
  await staff.call(refuseCase, { orderId })
  await settleHeld(open.shop, orderId)
  await refundAll()
  const order = await orderOf(buyer, orderId)
  expect(order).toMatchObject({ status: 'failed', hold: null })
  expect(order.events.at(-1)!.code).toBe('risk_refused_paid')
  expect(await kept()).toBe(before)
  expect(await codesIn('free', card.id)).toBe(3)
  expect((await balances()).map(([, cents]) => cents)).toEqual([0, 0, 0])
  // a buyer refused by staff cannot retry at once with a smaller amount
  const book = await addProduct(open.shop)
  expect((await tryToBuy(open.shop, buyer, book)).code).toBe('payments_paused')
  const pause = (await staff.call(listBlocks, {})).find(({ subject }) => subject === buyer.email)!
  await staff.call(liftBlock, { id: pause.id })
  expect((await tryToBuy(open.shop, buyer, book)).ending).toBe('delivered')
})

test('decides a hold once for concurrent decisions', async () => {
  const card = await giftCard('1000.00', 40)
  const [ada, bob] = [await open.shop.join({ isAdmin: true }), await open.shop.join({ isAdmin: true })]
  for (let round = 0; round < 4; round++) {
    const before = await kept()
    const buyer = await open.shop.join()
    const { orderId } = await tryToBuy(open.shop, buyer, card)
    await open.shop.database.pool.query(
      `UPDATE risk_holds SET created_at = created_at - interval '25 hours', ends_at = now() - interval '1 second' WHERE order_id = $1`,
      [orderId],
    )
    const tries = [
      () => ada.call(approveCase, { orderId: orderId! }),
      () => bob.call(refuseCase, { orderId: orderId! }),
      () => buyer.call(confirmOrder, { id: orderId! }),
      () => expireHolds(open.shop.database.db),
    ]
    // each round lets another request go first
    const ended = await Promise.allSettled(
      [...tries.slice(round), ...tries.slice(0, round)].map((attempt) => attempt()),
    )
    for (const one of ended) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'decided' })
    const { rows } = await open.shop.database.pool.query<{ state: string; how: string; acts: string[] }>(
      `SELECT state, resolved_how AS how, ARRAY(SELECT act FROM audit WHERE subject_id = order_id::text) AS acts
       FROM risk_holds WHERE order_id = $1`,
      [orderId],
    )
    const [{ state, how, acts }] = rows as [{ state: string; how: string; acts: string[] }]
    expect(acts).toEqual(how === 'approved' || how === 'refused' ? [`risk.${how}`] : [])
    await settleHeld(open.shop, orderId!)
    await refundAll()
    const order = await orderOf(buyer, orderId!)
    expect(order.status).toBe(state === 'released' ? 'completed' : 'failed')
    expect((await kept()) - before).toBe(state === 'released' ? 1000 : 0)
  }
})

test('rejects a confirmation of a decided hold', async () => {
  const card = await giftCard('1000.00')
  const staff = await open.shop.join({ isAdmin: true })
  const [refused, released] = [await open.shop.join(), await open.shop.join()]
  const ids = [await tryToBuy(open.shop, refused, card), await tryToBuy(open.shop, released, card)].map(
    ({ orderId }) => orderId!,
  ) as [string, string]
  await staff.call(refuseCase, { orderId: ids[0] })
  await staff.call(approveCase, { orderId: ids[1] })
  await expect(refused.call(confirmOrder, { id: ids[0] })).rejects.toMatchObject({ status: 409, code: 'decided' })
  expect(await released.call(confirmOrder, { id: ids[1] })).toEqual({ isReleased: true })
  for (const id of ids) await settleHeld(open.shop, id)
  await refundAll()
})

test('lists the most urgent holds first with their count', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const { buyer, orderId } = await heldOrder()
  await open.shop.database.pool.query(
    `WITH copies AS (
       INSERT INTO orders (user_id, checkout_key, request_hash, source, status, total_cents, expires_at)
       SELECT $1, 'queue' || n, 'h', 'product', 'pending', 100, now() + interval '30 minutes' FROM generate_series(1, 300) n
       RETURNING id),
     paid AS (
       INSERT INTO payments (order_id, provider, mode, status, amount_cents)
       SELECT id, '${METHOD}', 'sandbox', 'created', 100 FROM copies RETURNING id, order_id)
     INSERT INTO risk_holds (order_id, user_id, kind, decision_id, payment_id, is_cleared_by_confirming, ends_at)
     SELECT paid.order_id, $1, 'hold', h.decision_id, paid.id, false, now() + row_number() OVER () * interval '1 minute'
     FROM paid, risk_holds h WHERE h.order_id = $2`,
    [buyer.id, orderId],
  )
  const read = async (query: string) => {
    const response = await fetch(`${open.shop.url}/api/admin/risk/cases?${query}`, {
      headers: { cookie: staff.cookie },
    })
    return {
      total: Number(response.headers.get('x-total-count')),
      cases: (await response.json()) as { endsAt: string }[],
    }
  }
  const first = await read('state=open')
  expect(first.cases).toHaveLength(50)
  expect(first.total).toBeGreaterThanOrEqual(301)
  const all = await read('state=open&limit=500')
  expect(all.cases).toHaveLength(all.total)
  const ends = all.cases.map(({ endsAt }) => endsAt)
  expect(ends).toEqual(ends.toSorted())
  expect(first.cases).toEqual(all.cases.slice(0, 50))
  for (const wrong of ['0', '501', 'x'])
    await expect(staff.call(listRiskCases, { state: 'open', limit: wrong as never })).rejects.toMatchObject({
      status: 400,
    })
  await open.shop.database.pool.query(
    `UPDATE risk_holds SET state = 'refused', resolved_how = 'expired', resolved_at = now() WHERE order_id <> $1 AND user_id = $2`,
    [orderId, buyer.id],
  )
})

test('refunds a hold that expires', async () => {
  const before = await kept()
  const { buyer, orderId } = await heldOrder()
  await expireHolds(open.shop.database.db)
  await settleHeld(open.shop, orderId)
  expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'pending', hold: { kind: 'hold' } })
  await open.shop.database.pool.query(
    `UPDATE risk_holds SET created_at = created_at - interval '25 hours', ends_at = ends_at - interval '25 hours' WHERE order_id = $1`,
    [orderId],
  )
  await expireHolds(open.shop.database.db)
  await settleHeld(open.shop, orderId)
  await refundAll()
  expect((await orderOf(buyer, orderId)).status).toBe('failed')
  expect(await kept()).toBe(before)
})

test('requires the buyer’s confirmation of $800 before money moves', async () => {
  const before = (await provider(open.shop).captures()).length
  const card = await giftCard('800.00')
  const buyer = await open.shop.join()
  const { ending, orderId } = await tryToBuy(open.shop, buyer, card)
  expect(ending).toBe('confirm_needed')
  const order = await orderOf(buyer, orderId!)
  expect(order).toMatchObject({ status: 'pending', hold: { kind: 'step_up', until: order.expiresAt } })
  expect((await provider(open.shop).captures()).length).toBe(before)
  const stranger = await open.shop.join()
  await expect(stranger.call(confirmOrder, { id: orderId! })).rejects.toMatchObject({ status: 404 })
  expect(await buyer.call(confirmOrder, { id: orderId! })).toEqual({ isReleased: true })
  const terms = { amount: '800.00', currency: 'USD', intent: 'capture', orderId: orderId! } as const
  const { id } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(id)
  expect(await buyer.call(capturePayment, { id })).toMatchObject({ status: 'COMPLETED' })
  const confirmed = (await decisionsOf(orderId!)).map(({ facts }) => (facts as { isConfirmed: boolean }).isConfirmed)
  expect(confirmed).toEqual([false, true, true])
})

test('captures a started payment only after the confirmation', async () => {
  const before = (await provider(open.shop).captures()).length
  const card = await giftCard('800.00')
  const buyer = await open.shop.join()
  await age(open.shop, buyer, 400)
  const items = [{ productId: card.id, quantity: 1 }]
  const terms = { amount: '800.00', currency: 'USD', intent: 'capture' } as const
  const { id, orderId } = await buyer.call(startPayment, { ...terms, items })
  await provider(open.shop).approve(id)
  await age(open.shop, buyer, 0)
  await expect(buyer.call(startPayment, { ...terms, orderId })).rejects.toMatchObject({ code: 'confirm_needed' })
  await expect(buyer.call(capturePayment, { id })).rejects.toMatchObject({ status: 409, code: 'confirm_needed' })
  expect((await provider(open.shop).captures()).length).toBe(before)
  await buyer.call(confirmOrder, { id: orderId })
  expect(await buyer.call(capturePayment, { id })).toMatchObject({ status: 'COMPLETED' })
})

test('rejects a confirmation with an old session', async () => {
  const card = await giftCard('800.00')
  const buyer = await open.shop.join()
  const { orderId } = await tryToBuy(open.shop, buyer, card)
  await open.shop.database.pool.query(
    `UPDATE sessions SET verified_at = now() - interval '1 hour' WHERE user_id = $1`,
    [buyer.id],
  )
  await expect(buyer.call(confirmOrder, { id: orderId! })).rejects.toMatchObject({
    status: 403,
    code: 'step_up_required',
  })
})

test('lets the buyer end a light hold but not a heavy one', async () => {
  const card = await giftCard('1000.00')
  const buyer = await open.shop.join()
  const { ending, orderId } = await tryToBuy(open.shop, buyer, card)
  expect(ending).toBe('held')
  expect((await orderOf(buyer, orderId!)).hold).toMatchObject({ isClearedByConfirming: true })
  expect(await buyer.call(confirmOrder, { id: orderId! })).toEqual({ isReleased: true })
  // the buyer cannot pay again before the delivery
  expect((await orderOf(buyer, orderId!)).hold).toMatchObject({ kind: 'hold', isClearedByConfirming: false })
  await settleHeld(open.shop, orderId!)
  expect(await orderOf(buyer, orderId!)).toMatchObject({ status: 'completed', hold: null })

  const heavy = await heldOrder()
  expect(await heavy.buyer.call(confirmOrder, { id: heavy.orderId })).toEqual({ isReleased: false })
  await settleHeld(open.shop, heavy.orderId)
  expect((await orderOf(heavy.buyer, heavy.orderId)).status).toBe('pending')
})

test('charges no saved wallet before its owner confirms', async () => {
  const { database, checkout } = open.shop
  const card = await giftCard('800.00')
  const buyer = await open.shop.join()
  const { vaultId, label } = await saveSandboxWallet(database.db, buyer)
  await saveWallet(database.db, {
    userId: buyer.id,
    provider: METHOD,
    mode: checkout.providers.main.mode,
    vaultId,
    label,
  })
  await fillCart(buyer, card.id, 1)
  const before = (await provider(open.shop).captures()).length
  const order = await buyer.call(placeOrder, {
    items: [{ productId: card.id, quantity: 1, price: '800.00' }],
    total: '800.00',
    paymentMethod: METHOD,
    paymentId: `${METHOD}_${crypto.randomUUID()}`,
  })
  expect(order).toMatchObject({ status: 'pending', hold: { kind: 'step_up' } })
  expect((await provider(open.shop).captures()).length).toBe(before)
})

test('pauses payments after four declines and shows until when', async () => {
  const card = await giftCard('5.00', 20)
  const tester = await open.shop.join()
  await age(open.shop, tester, 300)
  for (const n of [1, 2, 3, 4]) {
    const tried = await tryToBuy(open.shop, tester, card, { isDeclined: true, payer: { payer: `STOLEN${n}` } })
    expect(tried.ending).toBe('declined')
  }
  expect(await tryToBuy(open.shop, tester, card)).toEqual({ ending: 'refused', code: 'payments_paused' })
  await fillCart(tester, card.id, 1)
  const quick = tester.call(placeOrder, {
    items: [{ productId: card.id, quantity: 1, price: '5.00' }],
    total: '5.00',
    paymentMethod: METHOD,
    paymentId: `${METHOD}_${crypto.randomUUID()}`,
  })
  await expect(quick).rejects.toMatchObject({
    code: 'payments_paused',
    details: { until: expect.any(String) as string },
  })
  expect(await tester.call(getCart, {})).toHaveLength(1)
})

async function pausedBuyer(card: { id: string; price: string }, payer: string) {
  const buyer = await open.shop.join()
  await age(open.shop, buyer, 300)
  for (const n of [1, 2, 3, 4])
    await tryToBuy(open.shop, buyer, card, { isDeclined: true, payer: { payer: `${payer}${n}` } })
  expect((await tryToBuy(open.shop, buyer, card)).code).toBe('payments_paused')
  return buyer
}

test('ends a pause by time or by staff and resets its declines', async () => {
  const { pool } = open.shop.database
  const card = await giftCard('5.00', 30)
  const [waiting, lifted] = [await pausedBuyer(card, 'WAITS'), await pausedBuyer(card, 'LIFTED')]
  for (const [table, more] of [
    ['risk_declines', ''],
    ['risk_blocks', `, expires_at = expires_at - interval '25 hours'`],
  ] as const)
    await pool.query(
      `UPDATE ${table} SET created_at = created_at - interval '25 hours'${more} WHERE ${table === 'risk_blocks' ? 'subject' : 'user_id::text'} = $1`,
      [waiting.id],
    )
  const staff = await open.shop.join({ isAdmin: true })
  const block = (await staff.call(listBlocks, {})).find(({ subject }) => subject === lifted.email)!
  await staff.call(liftBlock, { id: block.id })
  for (const buyer of [waiting, lifted]) {
    const again = await tryToBuy(open.shop, buyer, card, { isDeclined: true, payer: { payer: `AGAIN` } })
    expect(again.ending).toBe('declined')
    expect((await tryToBuy(open.shop, buyer, card)).ending).toBe('delivered')
  }
  // declines of several payment methods pause the account again
  for (const n of [5, 6, 7])
    await tryToBuy(open.shop, lifted, card, { isDeclined: true, payer: { payer: `LIFTED${n}` } })
  expect((await tryToBuy(open.shop, lifted, card)).code).toBe('payments_paused')
})

test('ignores payment windows that other accounts on the network open', async () => {
  const card = await giftCard('25.00', 20)
  for (let n = 1; n <= 9; n++) {
    const stranger = await open.shop.join()
    await fillCart(stranger, card.id, 1)
    const headers = { 'x-forwarded-for': `45.90.28.${n}` }
    await stranger.call(startPayment, { amount: '25.00', currency: 'USD', intent: 'capture' }, { headers })
  }
  const buyer = await open.shop.join()
  await age(open.shop, buyer, 400)
  expect((await tryToBuy(open.shop, buyer, card, { ip: '45.90.28.200' })).ending).toBe('delivered')
})

test('counts earlier purchases even after 210 unpaid orders', async () => {
  const card = await giftCard('300.00')
  const buyer = await open.shop.join()
  await age(open.shop, buyer, 300)
  const { orderId } = await tryToBuy(open.shop, buyer, card)
  await open.shop.database.pool.query(
    `INSERT INTO orders (user_id, checkout_key, request_hash, source, status, total_cents, expires_at)
     SELECT $1, 'k' || n, 'h', 'product', CASE WHEN n < 7 THEN 'failed' ELSE 'pending' END, 100, now() + interval '30 minutes'
     FROM generate_series(1, 210) n`,
    [buyer.id],
  )
  const second = await tryToBuy(open.shop, buyer, card)
  expect(second.orderId).not.toBe(orderId)
  const [decision] = await decisionsOf(second.orderId!)
  expect(decision).toMatchObject({ facts: { dayCents: 60_000, ordersHour: 2, unpaidDay: 6 } })
})

test('pauses payments after ten declines of one method, not nine', async () => {
  const card = await giftCard('5.00', 30)
  const buyer = await open.shop.join()
  await age(open.shop, buyer, 300)
  const items = [{ productId: card.id, quantity: 1 }]
  const { id } = await buyer.call(startPayment, { amount: '5.00', currency: 'USD', intent: 'capture', items })
  for (let n = 1; n <= 9; n++) {
    await provider(open.shop).decline(id)
    expect(await buyer.call(capturePayment, { id })).toMatchObject({ status: 'DECLINED' })
  }
  await provider(open.shop).decline(id)
  expect(await buyer.call(capturePayment, { id })).toMatchObject({ status: 'DECLINED' })
  await provider(open.shop).approve(id)
  await expect(buyer.call(capturePayment, { id })).rejects.toMatchObject({ code: 'payments_paused' })
  expect((await buyer.call(getOrder, { id: (await lastOrderOf(buyer)).id })).status).toBe('failed')
})

const lastOrderOf = (buyer: Person) =>
  open.shop.database.db
    .selectFrom('orders')
    .select('id')
    .where('userId', '=', buyer.id)
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()

test('detects a payment method of many accounts and a payer from another country', async () => {
  const card = await giftCard('25.00', 20)
  for (let n = 0; n < 4; n++) {
    const buyer = await open.shop.join()
    await tryToBuy(open.shop, buyer, card, { payer: { payer: 'SHARED1' }, ip: `198.${n + 20}.7.1` })
  }
  const last = await open.shop.join()
  const there = { payer: { payer: 'SHARED1', country: 'NG' }, country: 'US', ip: '198.30.7.1' }
  const { ending, orderId } = await tryToBuy(open.shop, last, card, there)
  expect(ending).toBe('held')
  const [, paid] = await decisionsOf(orderId!)
  expect(paid).toMatchObject({ facts: { visitorCountry: 'US', payerCountry: 'NG', instrumentAccounts: 4 } })
  expect(JSON.stringify(await decisionsOf(orderId!))).not.toMatch(/SHARED1|198\.30/)
})

test.each([
  ['delivered', 2000_00],
  ['held', 1],
])('a large purchase after three old ones is %s when each cost %i cents', async (ending, cents) => {
  const { pool } = open.shop.database
  const book = await addProduct(open.shop)
  const card = await giftCard('1250.00')
  const buyer = await open.shop.join()
  for (let n = 0; n < 3; n++) expect((await tryToBuy(open.shop, buyer, book)).ending).toBe('delivered')
  await pool.query(
    `UPDATE orders SET created_at = created_at - interval '61 days', completed_at = completed_at - interval '61 days',
       total_cents = $2 WHERE user_id = $1`,
    [buyer.id, cents],
  )
  expect((await tryToBuy(open.shop, buyer, card)).ending).toBe(ending)
})

test('blocks only buyers on a blocked network', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const book = await addProduct(open.shop)
  await staff.call(addBlock, { who: '91.198.174.77', reason: 'a test of stolen cards', hours: 2 })
  const there = await open.shop.join()
  expect((await tryToBuy(open.shop, there, book, { ip: '91.198.174.3' })).code).toBe('payments_paused')
  expect((await tryToBuy(open.shop, there, book, { ip: '91.198.175.3' })).ending).toBe('delivered')
})

test.each(['account', 'network'])('captures nothing when the %s is blocked after the approval', async (kind) => {
  const staff = await open.shop.join({ isAdmin: true })
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const from = { headers: { 'x-forwarded-for': '91.198.180.3' } }
  const terms = { amount: '10.00', currency: 'USD', intent: 'capture' } as const
  const items = [{ productId: book.id, quantity: 1 }]
  const { id, orderId } = await buyer.call(startPayment, { ...terms, items }, from)
  await provider(open.shop).approve(id)
  const who = kind === 'account' ? buyer.email : '91.198.180.77'
  await staff.call(addBlock, { who, reason: 'a test of stolen cards', hours: 2 })
  await expect(buyer.call(capturePayment, { id }, from)).rejects.toMatchObject({ code: 'payments_paused' })
  expect((await orderOf(buyer, orderId)).status).toBe('failed')
})
