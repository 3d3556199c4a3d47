import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findViolations } from './invariants.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { createRandom, visit } from './shoppers.ts'
import { openStage } from './stage.ts'
import { approve, type Buyer, captureFor, fillCart, PRICE_CENTS, start, type Step } from './steps.ts'
import { openWorld, type World } from './world.ts'
import { required } from '../src/kit/values/required.ts'

export async function killAt(world: World, step: Step, productId: string) {
  const [back, away] = (await world.invite(2)).map((shopper): Buyer => ({ shopper, key: crypto.randomUUID() }))
  const buyers = [required(back, 'the buyer who comes back'), required(away, 'the buyer who leaves')]
  for (const buyer of buyers) await fillCart(world, buyer, productId)
  const violations: string[] = []
  const stage = await openStage(world.databaseUrl)
  try {
    await step.reach(stage, world, buyers)
  } finally {
    await world.kill()
    await stage.clear()
    // Work may be unfinished here, but nothing is delivered before it is paid.
    violations.push(...(await findViolations(world.databaseUrl, await world.storedCaptures(), { isOver: false })))
    await world.start()
  }
  if (step.isSoon) await untilCompleted(world, buyers)
  if (step.ends.back === 'completed') await comeBack(world, required(back, 'the buyer who comes back'))
  await comeToRest(world)
  const { rows } = await world.database.pool.query<{ user_id: string; status: string; captures: number }>(
    `SELECT o.user_id, o.status, count(r.id)::int AS captures FROM orders o
     LEFT JOIN payments p ON p.order_id = o.id
     LEFT JOIN sandbox.records r ON (r.kind = 'capture' AND r.body->>'customId' = p.id::text)
       OR (r.kind = 'stripe_charge' AND r.body->>'status' = 'succeeded' AND r.body->'metadata'->>'payment_id' = p.id::text)
     WHERE o.user_id = ANY ($1) GROUP BY o.id`,
    [buyers.map(({ shopper }) => shopper.seen.userId)],
  )
  const describe = (buyer: Buyer) =>
    rows
      .filter((row) => row.user_id === buyer.shopper.seen.userId)
      .map(({ status, captures }) => `${status}, captured ${captures}`)
  return {
    back: describe(required(back, 'the buyer who comes back')),
    away: describe(required(away, 'the buyer who leaves')),
    violations: [
      ...violations,
      ...(await findViolationsAtRest(
        world,
        buyers.map(({ shopper }) => shopper),
      )),
    ],
  }
}

/** Waits until the restarted shop completes the orders. The reconciler cannot do it: it skips recent payments. */
async function untilCompleted({ database: { pool } }: World, buyers: Buyer[]) {
  const end = performance.now() + 20_000
  for (;;) {
    const { rowCount } = await pool.query(`SELECT FROM orders WHERE id = ANY ($1) AND status <> 'completed'`, [
      buyers.map(({ orderId }) => orderId),
    ])
    if (rowCount === 0) return
    if (performance.now() > end) throw new Error(`${rowCount} orders were not completed soon`)
    await pause(50)
  }
}

async function comeBack(world: World, buyer: Buyer) {
  if (!buyer.providerOrderId) {
    const { id, orderId } = await start(world, buyer)
    Object.assign(buyer, { providerOrderId: id, orderId })
    buyer.shopper.seen.orders.push({ orderId, totalCents: PRICE_CENTS })
    await approve(world, buyer)
  }
  const { status, order } = await captureFor(world, buyer)
  if (status === 'COMPLETED') buyer.shopper.seen.completed.push(order.id)
}

/** Waits until an order waits for its payment, at most ten seconds. */
async function untilPending(world: World) {
  const end = performance.now() + 10_000
  while ((await countOrders(world)).pending === 0 && performance.now() < end) await pause(20)
}

export type KillsRound = { kills: number; shoppers: number; seconds?: number; seed?: number; provider?: DrillProvider }

export async function runKills(
  databaseUrl: string,
  {
    kills,
    shoppers: count,
    seconds = Infinity,
    seed = randomInt(2 ** 31),
    provider = DRILL_PROVIDERS.paypal,
  }: KillsRound,
) {
  const world = await openWorld(databaseUrl, {}, provider)
  try {
    const products = await Promise.all([
      ...[999, 1250].map((priceCents) => world.offer({ priceCents })),
      world.offer({ priceCents: 2500, codes: count * 20 }),
    ])
    const shoppers = await world.invite(count, { wallets: 0.2, credit: 2000 })
    const startsMs = [(await world.start()).startedInMs]
    let isOver = false
    const shopping = shoppers.map(async (shopper, i) => {
      const manners = { random: createRandom(seed + i), tries: 40, pauseMs: 100, patienceMs: 5000, provider }
      while (!isOver) await visit(shopper, world.url, products, manners)
    })
    const errors: string[] = []
    let killsWhilePending = 0
    const end = performance.now() + seconds * 1000
    let made = 0
    for (; made < kills && performance.now() < end; made++) {
      await untilPending(world)
      await pause(randomInt(0, 400))
      killsWhilePending += (await countOrders(world)).pending > 0 ? 1 : 0
      errors.push(...(await world.kill()))
      startsMs.push((await world.start()).startedInMs)
    }
    isOver = true
    await Promise.all(shopping)
    await comeToRest(world)
    const captures = await world.captures()
    return {
      seed,
      kills: made,
      killsWhilePending,
      startsMs,
      orders: await countOrders(world),
      kept: captures.filter(({ amount, refunded }) => amount !== refunded).length,
      acknowledged: shoppers.reduce((sum, { seen }) => sum + new Set(seen.completed).size, 0),
      violations: await findViolationsAtRest(world, shoppers),
      errors: [...errors, ...(await world.kill())],
    }
  } finally {
    await world.close()
  }
}
