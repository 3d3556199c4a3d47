import { randomInt } from 'node:crypto'
import { FAULT_KINDS } from '../sandbox/faults.contract.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld } from './world.ts'

export type FaultsRound = { buyers: number; rate: number; latencyMs: number; seed?: number; provider?: DrillProvider }

export async function runFaults(
  databaseUrl: string,
  { buyers, rate, latencyMs, seed = randomInt(2 ** 31), provider = DRILL_PROVIDERS.paypal }: FaultsRound,
) {
  const world = await openWorld(databaseUrl, {}, provider)
  try {
    const books = await Promise.all([999, 1250, 4500].map((priceCents) => world.offer({ priceCents })))
    const cards = await Promise.all(
      [buyers, Math.ceil(buyers / 8)].map((codes) => world.offer({ priceCents: 2500, codes })),
    )
    const shoppers = await world.invite(buyers, { wallets: 0.25, credit: 1500 })
    const shop = await world.start()
    await world.setFaults({ rate, kinds: [...FAULT_KINDS], latencyMs })
    const startedAt = performance.now()
    await Promise.all(
      shoppers.map((shopper, i) =>
        visit(shopper, world.url, [...books, ...cards], {
          random: createRandom(seed + i),
          tries: 3,
          pauseMs: 200,
          patienceMs: 30_000,
          provider,
        }),
      ),
    )
    const visitedMs = performance.now() - startedAt
    await world.setFaults({ rate: 0, kinds: [] })
    await comeToRest(world)
    const captures = await world.captures()
    return {
      seed,
      visitedMs,
      restedMs: performance.now() - startedAt - visitedMs,
      orders: await countOrders(world),
      captures: captures.length,
      kept: captures.filter(({ amount, refunded }) => amount !== refunded).length,
      violations: await findViolationsAtRest(world, shoppers),
      errors: shop.errors(),
      exitCode: await shop.stop(),
    }
  } finally {
    await world.close()
  }
}
