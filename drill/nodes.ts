import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { FAULT_KINDS } from '../sandbox/faults.contract.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld, type World } from './world.ts'
import { only } from '../src/kit/values/required.ts'

export type NodesRound = {
  shoppers: number
  seconds: number
  minutesOff: number
  seed?: number
  provider?: DrillProvider
}

/**
 * Runs two nodes with clocks that are wrong in opposite directions. Shoppers use both nodes, often in two tabs. The
 * provider fails at times, and its webhooks arrive late, twice and in any order. Kills the second node repeatedly.
 */
export async function runNodes(
  databaseUrl: string,
  { shoppers: count, seconds, minutesOff, seed = randomInt(2 ** 31), provider = DRILL_PROVIDERS.paypal }: NodesRound,
) {
  const world = await openWorld(databaseUrl, {}, provider)
  try {
    const products = await Promise.all([
      ...[999, 1250].map((priceCents) => world.offer({ priceCents })),
      world.offer({ priceCents: 2500, codes: count * 20 }),
    ])
    const shoppers = await world.invite(count, { wallets: 0.2, credit: 1500 })
    const first = await world.start(minutesOff)
    let second = await world.startBeside(-minutesOff)
    const urls = [world.url, second.url]
    await world.setFaults({ rate: 0.1, kinds: [...FAULT_KINDS], latencyMs: 400 })
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const errors: string[] = []
    let kills = 0

    async function killSecond() {
      while (!isOver()) {
        await pause(randomInt(3000, 8000))
        await second.shop.kill()
        errors.push(...second.shop.errors())
        kills += 1
        second = await world.startBeside(-minutesOff)
        urls[1] = second.url
      }
    }
    const shopping = shoppers.map(async (shopper, i) => {
      const manners = {
        random: createRandom(seed + i),
        tries: 3,
        pauseMs: 200,
        patienceMs: 10_000,
        provider,
        tabs: 0.4,
      }
      while (!isOver()) await visit(shopper, urls, products, manners)
    })
    const shuffling = shuffleReports(world, isOver)
    await Promise.all([...shopping, killSecond(), shuffling])
    await world.setFaults({ rate: 0, kinds: [] })
    await comeToRest(world, { seconds: 180 })
    const captures = await world.captures()
    return {
      seed,
      kills,
      ...(await countReports(world)),
      orders: await countOrders(world),
      captures: captures.length,
      kept: captures.filter(({ amount, refunded }) => amount !== refunded).length,
      violations: await findViolationsAtRest(world, shoppers),
      errors: [...errors, ...first.errors(), ...second.shop.errors()],
    }
  } finally {
    await world.close()
  }
}

/** Delays random webhook events by up to eight seconds, and resends some of the last minute. */
async function shuffleReports({ database: { pool } }: World, isOver: () => boolean) {
  while (!isOver()) {
    await pool.query(
      `UPDATE sandbox.events SET due_at = clock_timestamp() + random() * interval '8 seconds',
         deliveries_left = deliveries_left + (random() < 0.3)::int
       WHERE id IN (SELECT id FROM sandbox.events WHERE random() < 0.4
         AND (deliveries_left > 0 OR created_at > clock_timestamp() - interval '1 minute') FOR UPDATE SKIP LOCKED)`,
    )
    await pause(400)
  }
}

/** Counts webhook events: all, those that arrived more than once, and those that arrived after a newer event. */
async function countReports({ database: { pool } }: World) {
  const { rows } = await pool.query<{ reports: number; repeated: number; late: number }>(
    `SELECT count(*)::int AS reports, (count(*) FILTER (WHERE times_received > 1))::int AS repeated,
       (count(*) FILTER (WHERE EXISTS (SELECT FROM webhook_events n JOIN sandbox.events m ON m.id = n.event_id
         WHERE n.received_at < e.received_at AND m.created_at > s.created_at)))::int AS late
     FROM webhook_events e JOIN sandbox.events s ON s.id = e.event_id`,
  )
  return only(rows)
}
