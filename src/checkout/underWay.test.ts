import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { wrongBooks } from '../../test/credit.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests } from '../../test/shop.ts'
import { handleRefund, METHOD } from '../../test/payment.ts'
import { readOrderFile } from '../admin/orders/adminOrders.contract.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { reconcile } from './reconcile.server.ts'
import { askRefund } from '../aftersale/refunds/refund.contract.ts'
import { runRefund } from '../aftersale/refunds/refund.server.ts'

// A request timed out and its retry finds it still in progress at the provider. This is not a refusal.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const during = async <T>(fault: 'error' | 'lost' | 'under_way', work: () => Promise<T>) => {
  await provider(open.shop).setFaults({ rate: 1, kinds: [fault] })
  return work().finally(() => provider(open.shop).setFaults({ rate: 0, kinds: [] }))
}
const captureOf = async (orderId: string) => {
  const captures = (await provider(open.shop).captures()).map(
    ({ customId, ...capture }) => [customId, capture] as const,
  )
  const payment = await open.shop.database.db
    .selectFrom('payments')
    .select(['id', 'status', 'providerCaptureId'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  return { ...payment, captureId: payment.providerCaptureId!, taken: new Map(captures).get(payment.id) }
}

/** Creates a refund request of $3.00 of $10.00. */
async function asked() {
  const { checkout, database } = open.shop
  const [buyer, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const { id: orderId } = await buy(open.shop, buyer, await addProduct(open.shop))
  const ask = (left: string) =>
    staff.call(
      askRefund,
      { id: orderId, amount: '3.00', left, reason: 'a page is missing', isCodeSeen: false },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    )
  const { id } = await ask('10.00')
  const run = () => runRefund(checkout, id)
  const shown = async () =>
    (await staff.call(readOrderFile, { id: orderId })).refunds.map(({ status, refusal }) => ({ status, refusal }))
  const { captureId } = await captureOf(orderId)
  const refunded = async () => (await captureOf(orderId)).taken!.refunded
  const madeIds = async () => {
    const text = `SELECT id FROM sandbox.records WHERE kind = 'refund' AND body::jsonb->>'customId' = $1`
    return (await database.pool.query<{ id: string }>(text, [id])).rows.map((row) => row.id)
  }
  const hear = async () => handleRefund(open.shop, captureId, (await madeIds())[0]!)
  const refuse = () =>
    sql`UPDATE refunds SET status = 'failed', refusal = 'UNKNOWN' WHERE id = ${id}::uuid`.execute(database.db)
  return { buyer, orderId, ask, run, shown, refunded, hear, refuse }
}
const DONE = [{ status: 'completed', refusal: null }]

test('makes a refund once when its retry finds it in progress', async () => {
  const { buyer, orderId, ask, run, shown, refunded } = await asked()
  await expect(during('lost', run)).rejects.toThrow()
  await expect(during('under_way', run)).rejects.toThrow('409')
  expect(await shown()).toEqual([{ status: 'requested', refusal: null }])
  await expect(ask('10.00')).rejects.toMatchObject({ code: 'refund_changed' })
  await run()
  expect(await shown()).toEqual(DONE)
  expect(await refunded()).toBe('3.00')
  expect((await buyer.call(getOrder, { id: orderId })).refunds).toMatchObject([{ amount: '3.00' }])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('records a refused refund as completed after an event confirms it', async () => {
  const { buyer, orderId, run, shown, hear, refuse, refunded } = await asked()
  await expect(during('lost', run)).rejects.toThrow()
  await refuse()
  await Promise.all([hear(), hear()])
  await hear()
  await run()
  expect(await shown()).toEqual(DONE)
  expect(await refunded()).toBe('3.00')
  expect((await buyer.call(getOrder, { id: orderId })).refunds).toMatchObject([{ amount: '3.00' }])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('leaves a completed refund unchanged when a second run is refused', async () => {
  const { main } = open.shop.checkout.providers
  const real = main.refund
  for (const isRefusedFirst of [true, false]) {
    const { run, shown, hear, refuse } = await asked()
    main.refund = async (asked) => {
      const made = await real(asked)
      if (isRefusedFirst) await refuse()
      else await hear()
      if (isRefusedFirst) return made
      return { kind: 'refused', reason: 'REFUND_AMOUNT_EXCEEDED' }
    }
    await run().finally(() => (main.refund = real))
    expect(await shown()).toEqual(DONE)
  }
  expect(await wrongBooks(open.shop)).toEqual([])
})

const look = async () => {
  await sql`UPDATE payments SET lease_until = lease_until - interval '1 minute', updated_at = now() - interval '1 hour'`.execute(
    open.shop.database.db,
  )
  await reconcile(open.shop.checkout)
}

test('holds the codes during a capture, then completes the order', async () => {
  const card = await addProduct(open.shop, { codes: ['THE-ONLY-ONE'] })
  const buyer = await open.shop.join()
  const items = [{ productId: card.id, quantity: 1 }]
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
  await provider(open.shop).approve(id)
  const press = () => buyer.call(capturePayment, { id })
  expect((await during('error', press)).status).toBe('PENDING')
  await during('under_way', look)
  expect((await captureOf(orderId)).status).toBe('capturing')
  const codes = open.shop.database.db.selectFrom('codes').select('state').where('productId', '=', card.id)
  expect(await codes.execute()).toEqual([{ state: 'held' }])
  await look()
  expect((await buyer.call(getOrder, { id: orderId })).status).toBe('completed')
})

test('reconciles other payments while a charge is in progress', async () => {
  const book = await addProduct(open.shop)
  const people = [await open.shop.join(), await open.shop.join()]
  const orders = []
  for (const buyer of people) {
    await buy(open.shop, buyer, book)
    const placed = await during('error', () =>
      buyer.call(placeOrder, {
        items: [{ productId: book.id, quantity: 1, price: book.price }],
        ...{ total: book.price, paymentMethod: METHOD, paymentId: crypto.randomUUID(), source: 'product' },
      }),
    )
    orders.push({ buyer, id: placed.id })
  }
  const saved = open.shop.checkout.providers.main.saved!
  const real = saved.charge
  const tried: string[] = []
  saved.charge = (charge, token) => {
    tried.push(charge.id)
    return real(charge, token)
  }
  await during('under_way', look).finally(() => (saved.charge = real))
  expect(tried).toHaveLength(2)
  for (const { id } of orders) expect(await captureOf(id)).toMatchObject({ status: 'capturing' })
  await look()
  for (const { buyer, id } of orders) expect((await buyer.call(getOrder, { id })).status).toBe('completed')
})
