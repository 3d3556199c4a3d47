import { runFaults } from './faults.ts'
import { killAt, runKills } from './kill.ts'
import { runNodes } from './nodes.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { PRICE_CENTS, stepsOf } from './steps.ts'
import { runUsdc } from './usdc.ts'
import { runUsdcSteps } from './usdcSteps.ts'
import { openWorld } from './world.ts'
import { required } from '../src/kit/values/required.ts'

// Everything that can happen to money with one provider: faults, kills at each step and at any moment, two nodes and
// two tabs with webhooks in any order, wrong clocks, and reorganisations for USDC. Each part checks the invariants.

export const MONEY_PROVIDERS = ['paypal', 'stripe', 'usdc'] as const
export type MoneyProvider = (typeof MONEY_PROVIDERS)[number]

export type MoneyPart = { part: string; done: string; violations: string[] }
type CreateDatabase = (name: string) => Promise<string>
type Run = (url: string) => Promise<Omit<MoneyPart, 'part'>>

const MINUTES_OFF = 10

const NODES = 'two nodes, two tabs, reports in any order, late and twice'
const CLOCKS = `the same with clocks ${MINUTES_OFF} minutes fast and slow`

function partsOf(name: 'paypal' | 'stripe', isSmallest: boolean): Record<string, Run> {
  const provider = DRILL_PROVIDERS[name]
  const nodes = (minutesOff: number) => async (url: string) => {
    const round = await runNodes(url, {
      ...(isSmallest ? { shoppers: 3, seconds: 2 } : { shoppers: 30, seconds: 40 }),
      ...{ minutesOff, provider },
    })
    const { seed, kills, reports, repeated, late, captures, kept, orders } = round
    return {
      done: `${orders.completed} orders completed, ${captures} captures, ${kept} kept; ${reports} reports, ${repeated} of them twice, ${late} after a newer one; ${kills} kills of one node`,
      violations: withSeed(seed, [...round.violations, ...round.errors]),
    }
  }
  return {
    'provider faults, 30 %': async (url) => {
      const { seed, orders, captures, kept, ...round } = await runFaults(url, {
        ...{ buyers: 200, rate: 0.3, latencyMs: 500, provider },
      })
      return {
        done: `200 buyers at once: ${orders.completed} orders completed, ${captures} captures, ${kept} kept`,
        violations: withSeed(seed, [...round.violations, ...round.errors]),
      }
    },
    'kill -9 at each step': async (url) => {
      const world = await openWorld(url, {}, provider)
      const violations: string[] = []
      const steps = stepsOf(provider)
      try {
        const productId = await world.offer({ priceCents: PRICE_CENTS })
        await world.start()
        for (const step of steps) {
          const result = await killAt(world, step, productId)
          const { back, away } = step.ends
          const isRight =
            result.back.join() === `${back}, captured 1` &&
            result.away.join() === (away ? `${away}, captured ${away === 'failed' ? 0 : 1}` : '')
          if (!isRight) violations.push(`${step.name}: ${result.back.join()} / ${result.away.join()}`)
          violations.push(...result.violations)
        }
      } finally {
        await world.close()
      }
      return { done: `${steps.length} kills`, violations }
    },
    'kill -9 at any moment': async (url) => {
      const round = await runKills(url, { kills: 30, seconds: 60, shoppers: 20, provider })
      return {
        done: `${round.kills} kills, ${round.killsWhilePending} with open orders; ${round.orders.completed} orders completed, ${round.kept} captures kept`,
        violations: withSeed(round.seed, [...round.violations, ...round.errors]),
      }
    },
    [NODES]: nodes(0),
    [CLOCKS]: nodes(MINUTES_OFF),
  }
}

const TRANSFERS = { shoppers: 40, seconds: 75 }

const transfers =
  (minutesOff: number, size = TRANSFERS) =>
  async (url: string) => {
    const round = await runUsdc(url, { ...size, minutesOff })
    const { orders, transfers: sent, reorganisations, deep, vanished, kills, lies, returned, exceptions } = round
    const found = Object.entries(exceptions).map(([kind, count]) => `${count} ${kind}`)
    return {
      done: `${sent} transfers, ${orders.completed} orders completed; ${reorganisations} reorganisations, ${deep} deeper than the confirmations, ${vanished} transfers gone for good; ${kills} kills, ${lies} false responses of a node; ${found.join(', ')}; ${returned} sent back`,
      violations: withSeed(round.seed, [...round.violations, ...round.errors]),
    }
  }

const USDC_PARTS: Record<string, Run> = {
  'kill -9 at each step of a transfer': async (url) => {
    const { kills, violations } = await runUsdcSteps(url)
    return { done: `${kills} kills`, violations }
  },
  'two nodes, reorganisations, lies and kills': transfers(0),
  [CLOCKS]: transfers(MINUTES_OFF),
}

const withSeed = (seed: number, sentences: string[]) => sentences.map((one) => `seed ${seed}: ${one}`)

const smallestOf = (name: MoneyProvider): Record<string, Run> =>
  name === 'usdc'
    ? { [CLOCKS]: transfers(MINUTES_OFF, { shoppers: 3, seconds: 2 }) }
    : { [CLOCKS]: required(partsOf(name, true)[CLOCKS], 'the part with wrong clocks') }

export async function* runMoney(
  name: MoneyProvider,
  createDatabase: CreateDatabase,
  isSmallest = false,
): AsyncGenerator<MoneyPart> {
  const parts = isSmallest ? smallestOf(name) : name === 'usdc' ? USDC_PARTS : partsOf(name, false)
  for (const [i, [part, run]] of Object.entries(parts).entries())
    yield { part, ...(await run(await createDatabase(`money_${name}_${i}`))) }
}
