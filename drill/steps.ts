import { addToCart, getCart } from '../src/cart/cart.contract.ts'
import { capturePayment, placeOrder, startPayment } from '../src/checkout/checkout.contract.ts'
import { refundOrder } from '../src/aftersale/refunds/refund.server.ts'
import { send } from '../src/kit/call.ts'
import { saveWallet } from '../src/payments/wallets.store.server.ts'
import type { DrillProvider } from './provider.ts'
import { lockTable, type Stage } from './stage.ts'
import type { Shopper, World } from './world.ts'
import { required } from '../src/kit/values/required.ts'

// The steps at which a kill can interrupt a checkout. At each, one buyer returns after the kill and one does not.

export type Buyer = { shopper: Shopper; key: string; orderId?: string; providerOrderId?: string }
export type Step = {
  name: string
  reach: (stage: Stage, world: World, buyers: Buyer[]) => Promise<unknown>
  /** Final order status for the buyer who returns and for the buyer who does not. Null if no order exists. */
  ends: { back: string; away: string | null }
  /** The step exists only with a provider that takes the money when the shop calls capture. */
  isOfCall?: boolean
  /** Both orders complete within seconds after the restart, without the reconciler and without the buyers. */
  isSoon?: boolean
}

const PRICE = '9.99'
export const PRICE_CENTS = 999

export const start = (world: World, { shopper: { cookie }, key }: Buyer) =>
  send(
    startPayment,
    { amount: PRICE, currency: 'USD', intent: 'capture', method: world.provider.name },
    { base: world.url, headers: { cookie, 'idempotency-key': key } },
  )

export const captureFor = (world: World, { shopper: { cookie }, providerOrderId }: Buyer) =>
  send(
    capturePayment,
    { id: required(providerOrderId, 'the provider order id') },
    { base: world.url, headers: { cookie } },
  )

async function placeFor(world: World, { shopper: { cookie } }: Buyer) {
  const on = { base: world.url, headers: { cookie } }
  const items = (await send(getCart, {}, on)).map(({ productId, quantity }) => ({ productId, quantity, price: PRICE }))
  return send(
    placeOrder,
    { items, total: PRICE, paymentMethod: world.provider.name, paymentId: crypto.randomUUID() },
    on,
  )
}

export const approve = (world: World, { providerOrderId }: Buyer) =>
  fetch(`${world.url}/sandbox/${world.provider.name}/test/orders/${providerOrderId}/approve`, { method: 'POST' })

export async function fillCart(world: World, { shopper }: Buyer, productId: string) {
  const base = { base: world.url, headers: { cookie: shopper.cookie } }
  await send(addToCart, { productId, quantity: 1 }, base)
  shopper.seen.adds.push({ productId, quantity: 1, outcome: 'ok' })
}

const sendOff = (calls: Promise<unknown>[]) => calls.forEach((call) => void call.catch(() => undefined))

async function startAll(world: World, buyers: Buyer[]) {
  for (const buyer of buyers) {
    const { id, orderId } = await start(world, buyer)
    Object.assign(buyer, { providerOrderId: id, orderId })
    buyer.shopper.seen.orders.push({ orderId, totalCents: PRICE_CENTS })
    await approve(world, buyer)
  }
}

async function buyAll(world: World, buyers: Buyer[]) {
  await startAll(world, buyers)
  for (const buyer of buyers) {
    const { status } = await captureFor(world, buyer)
    if (status === 'COMPLETED') buyer.shopper.seen.completed.push(required(buyer.orderId, 'the order id'))
  }
}

async function startStanding(stage: Stage, world: World, buyers: Buyer[], table: string) {
  const release = await stage.hold(lockTable(table, 'ACCESS EXCLUSIVE'))
  sendOff(buyers.map((buyer) => start(world, buyer)))
  await stage.standing(buyers.length, table.replace(/.*\./, ''))
  return release
}

/** A lane runs one job at a time, so only one of its jobs reaches the step. */
const ONE_OF_A_LANE = 1

const REPLAYS = lockTable('sandbox.replays', 'EXCLUSIVE')

async function captureStanding(stage: Stage, world: World, buyers: Buyer[]) {
  await startAll(world, buyers)
  const release = await stage.hold(REPLAYS)
  sendOff(buyers.map((buyer) => captureFor(world, buyer)))
  await stage.standing(buyers.length, 'sandbox.replays')
  return release
}

const ofUsers = (buyers: Buyer[]) =>
  `user_id IN (${buyers.map(({ shopper }) => `'${shopper.seen.userId}'`).join(', ')})`

const KINDS = {
  order: `'order', 'stripe_session'`,
  capture: `'capture', 'stripe_charge'`,
  refund: `'refund', 'stripe_refund'`,
}
type Kind = keyof typeof KINDS

async function letProvider(stage: Stage, buyers: Buyer[], release: () => Promise<void>, kind: Kind) {
  const count = kind === 'refund' ? ONE_OF_A_LANE : buyers.length
  await stage.hold(`SELECT FROM orders WHERE ${ofUsers(buyers)} FOR UPDATE`)
  await stage.hold(`SELECT FROM payments WHERE status = 'creating' FOR UPDATE`)
  await release()
  await stage.isTrue(
    `SELECT count(*) >= ${count} FROM sandbox.records r
     JOIN payments p ON p.provider_capture_id = coalesce(r.body->>'captureId', r.body->>'charge')
       OR p.id::text = coalesce(r.body->>'customId', r.body->'unit'->>'custom_id', r.body->'metadata'->>'payment_id')
     JOIN orders o ON o.id = p.order_id WHERE r.kind IN (${KINDS[kind]}) AND o.${ofUsers(buyers)}`,
  )
  await stage.standing(count, kind === 'order' ? 'update "payments"' : 'from "orders"')
}

/** Places orders with a saved method. Stops the shop before the risk decision, when the payments have no row. */
async function placeStanding(stage: Stage, world: World, buyers: Buyer[]) {
  for (const { shopper } of buyers) {
    const wallet = await world.provider.saveMethod(world.database.db, shopper)
    await saveWallet(world.database.db, {
      userId: shopper.seen.userId,
      provider: world.provider.name,
      mode: 'sandbox',
      ...wallet,
    })
  }
  await stage.hold(lockTable('risk_decisions', 'EXCLUSIVE'))
  sendOff(buyers.map((buyer) => placeFor(world, buyer)))
  await stage.standing(buyers.length, 'insert into "risk_decisions"')
}

async function captureUnheard(world: World, buyers: Buyer[], ...faults: string[]) {
  await world.setFaults({ rate: 1, kinds: faults })
  await startAll(world, buyers)
  await world.setFaults({ rate: 1, kinds: ['lost', ...faults] })
  for (const buyer of buyers) await captureFor(world, buyer)
  await world.setFaults({ rate: 0, kinds: [] })
}

async function settleStanding(stage: Stage, world: World, buyers: Buyer[]) {
  await startAll(world, buyers)
  const release = await stage.hold(lockTable('mails', 'EXCLUSIVE'))
  sendOff(buyers.map((buyer) => captureFor(world, buyer)))
  await stage.standing(buyers.length, 'insert into "mails"')
  return release
}

async function refundStanding(stage: Stage, world: World, buyers: Buyer[]) {
  await buyAll(world, buyers)
  const release = await stage.hold(REPLAYS)
  for (const { orderId } of buyers)
    await refundOrder(world.database, required(orderId, 'the order id'), 'the buyer asked')
  await stage.standing(ONE_OF_A_LANE, 'sandbox.replays')
  return release
}

const PAID = { back: 'completed', away: 'completed' }
const NOT_STARTED = { back: 'completed', away: 'failed' }
const GIVEN_BACK = { back: 'refunded', away: 'refunded' }

export const STEPS: Step[] = [
  {
    name: 'after the order is placed, before it has a payment',
    reach: placeStanding,
    ends: NOT_STARTED,
  },
  {
    name: 'inside place and start, before it is committed',
    reach: (stage, world, buyers) => startStanding(stage, world, buyers, 'payments'),
    ends: { back: 'completed', away: null },
  },
  {
    name: "after the payment's row, before the provider hears of it",
    reach: (stage, world, buyers) => startStanding(stage, world, buyers, 'sandbox.replays'),
    ends: NOT_STARTED,
  },
  {
    name: 'after the provider made its order, before its id is stored',
    reach: async (stage, world, buyers) =>
      letProvider(stage, buyers, await startStanding(stage, world, buyers, 'sandbox.replays'), 'order'),
    ends: NOT_STARTED,
  },
  {
    name: 'after the lease, before the provider captures',
    isOfCall: true,
    reach: captureStanding,
    ends: PAID,
  },
  {
    name: 'after the provider captured, before it is settled',
    isOfCall: true,
    reach: async (stage, world, buyers) =>
      letProvider(stage, buyers, await captureStanding(stage, world, buyers), 'capture'),
    ends: PAID,
  },
  {
    name: 'inside settle, before it is committed',
    reach: settleStanding,
    ends: PAID,
  },
  {
    name: 'after settle, before the answer',
    reach: async (stage, world, buyers) => {
      const release = await settleStanding(stage, world, buyers)
      // stops both requests after they have settled, before they read the order for the answer
      await stage.queueFor(lockTable('product_files', 'ACCESS EXCLUSIVE'))
      await release()
      await stage.standing(buyers.length, 'join shown_order')
      await stage.isTrue(
        `SELECT count(*) = ${buyers.length} FROM orders WHERE status = 'completed' AND ${ofUsers(buyers)}`,
      )
    },
    ends: PAID,
  },
  {
    name: 'after an event is stored, before it has a job',
    isOfCall: true,
    reach: async (stage, world, buyers) => {
      await captureUnheard(world, buyers)
      await stage.isTrue(
        `SELECT count(*) = ${buyers.length} FROM webhook_events e JOIN payments p ON p.id = e.payment_id
         JOIN orders o ON o.id = p.order_id
         WHERE o.${ofUsers(buyers)} AND e.event_type = 'PAYMENT.CAPTURE.COMPLETED' AND e.processed_at IS NULL
           AND NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = 'webhook:' || e.event_id)`,
      )
    },
    ends: PAID,
    isSoon: true,
  },
  {
    name: 'after an overdue capture is marked and queued, before it is settled',
    reach: async (stage, world, buyers) => {
      await captureUnheard(world, buyers, 'webhook_lost')
      await stage.hold(`SELECT FROM orders WHERE ${ofUsers(buyers)} FOR UPDATE`)
      await world.database.pool.query(
        `UPDATE payments SET lease_until = now() - interval '10 seconds', updated_at = now() - interval '40 seconds'
         WHERE order_id IN (SELECT id FROM orders WHERE ${ofUsers(buyers)})`,
      )
      await stage.standing(ONE_OF_A_LANE, 'from "orders"')
    },
    ends: PAID,
    isSoon: true,
  },
  {
    name: "after the refund's row, before the provider hears of it",
    reach: refundStanding,
    ends: GIVEN_BACK,
  },
  {
    name: 'after the provider gave the money back, before it is booked',
    reach: async (stage, world, buyers) =>
      letProvider(stage, buyers, await refundStanding(stage, world, buyers), 'refund'),
    ends: GIVEN_BACK,
  },
]

export const stepsOf = ({ takesByCall }: DrillProvider) => STEPS.filter(({ isOfCall }) => takesByCall || !isOfCall)
