import { parseArgs } from 'node:util'
import { drillCluster } from './clusterReport.ts'
import { isWrong, runDatabaseStops, slowest } from './database.ts'
import { runFaults } from './faults.ts'
import { missingOfGuide, readGuideProblems, runGuide } from './guide.ts'
import { killAt, runKills } from './kill.ts'
import { MONEY_PROVIDERS, type MoneyProvider, runMoney } from './money.ts'
import { runPayouts } from './payouts.ts'
import { isSmallest, type Row, sized } from './profile.ts'
import { runLastCode } from './lastCode.ts'
import { openServer, type OwnServer } from './postgres.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { runSeeded, SEEDED } from './seeded.ts'
import { PRICE_CENTS, stepsOf } from './steps.ts'
import { runUploads, UPLOAD_STORES } from './uploads.ts'
import { openWorld } from './world.ts'
import { firstOf } from '../src/kit/values/required.ts'

// `npm run drill` runs the full profile on a separate PostgreSQL with fsync on. `-- faults kills` runs only these.
// `--provider stripe` applies to faults, steps, kills and money; all other drills use PayPal.
// `-- cluster --part kills,restarts` runs only these parts of the cluster drill.
// `-- money` runs everything that can happen to money, for each provider, in about six minutes each.
// `--smallest` runs any drill in seconds, as npm test does.

const { values, positionals } = parseArgs({
  options: { provider: { type: 'string' }, part: { type: 'string' }, smallest: { type: 'boolean' } },
  allowPositionals: true,
})
const named = MONEY_PROVIDERS.find((name) => name === (values.provider ?? 'paypal'))
if (!named || (named === 'usdc' && positionals.join() !== 'money'))
  throw new Error('--provider: paypal or stripe; of the drill money also usdc')
const provider = DRILL_PROVIDERS[named === 'usdc' ? 'paypal' : named]

type Drill = (server: OwnServer) => Promise<Row> | AsyncIterable<Row>

const ms = (value: number) => `${Math.round(value)} ms`
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const describeKeptMoney = (completed: number, kept: number, covered: number) =>
  `${completed} completed = ${kept} captures kept + ${covered} covered by store credit`

const FAULTY_ROUNDS = sized(5, 1)
const BUYERS = sized(200, 8)

async function drillFaults(server: OwnServer): Promise<Row> {
  const rounds = []
  for (let i = 0; i < FAULTY_ROUNDS; i++) {
    const url = await server.createDatabase(`faults_${i}`)
    rounds.push(await runFaults(url, { buyers: BUYERS, rate: 0.3, latencyMs: sized(500, 50), provider }))
  }
  const completed = sum(rounds.map(({ orders }) => orders.completed))
  const kept = sum(rounds.map((round) => round.kept))
  const covered = sum(rounds.map(({ orders }) => orders.covered))
  return {
    drill: 'provider faults, 30 %',
    done: `${FAULTY_ROUNDS * BUYERS} buyers, ${BUYERS} at once`,
    wrong: rounds.flatMap(({ seed, violations, errors }) =>
      [...violations, ...errors].map((one) => `seed ${seed}: ${one}`),
    ),
    figures: `${describeKeptMoney(completed, kept, covered)}, ${sum(rounds.map(({ captures }) => captures)) - kept} given back, at rest after ${ms(Math.max(...rounds.map(({ restedMs }) => restedMs)))}`,
  }
}

const STEP_ROUNDS = sized(3, 1)
const STEPS = sized(stepsOf(provider), stepsOf(provider).slice(0, 1))

async function drillSteps(server: OwnServer): Promise<Row> {
  const world = await openWorld(await server.createDatabase('steps'), {}, provider)
  const wrong: string[] = []
  try {
    const productId = await world.offer({ priceCents: PRICE_CENTS })
    await world.start()
    for (let round = 0; round < STEP_ROUNDS; round++) {
      for (const step of STEPS) {
        const result = await killAt(world, step, productId)
        const isRight =
          result.back.join() === `${step.ends.back}, captured 1` &&
          result.away.join() ===
            (step.ends.away ? `${step.ends.away}, captured ${step.ends.away === 'failed' ? 0 : 1}` : '')
        if (!isRight) wrong.push(`${step.name}: ${result.back.join()} / ${result.away.join()}`)
        wrong.push(...result.violations)
      }
    }
  } finally {
    await world.close()
  }
  const kills = STEP_ROUNDS * STEPS.length
  return {
    drill: 'kill -9 at each step',
    done: `${kills} kills`,
    wrong,
    figures: `${kills * 2} orders as they should be`,
  }
}

const KILLS = sized(100, 1)

async function drillKills(server: OwnServer): Promise<Row> {
  const result = await runKills(await server.createDatabase('kills'), {
    kills: KILLS,
    shoppers: sized(20, 4),
    provider,
  })
  return {
    drill: 'kill -9 at any moment',
    done: `${KILLS} kills, ${result.killsWhilePending} with open orders`,
    wrong: [...result.violations, ...result.errors],
    figures: `${describeKeptMoney(result.orders.completed, result.kept, result.orders.covered)}, ${result.acknowledged} acknowledged; ready again in ${ms(percentile(result.startsMs, 0.5))}, p95 ${ms(percentile(result.startsMs, 0.95))}`,
  }
}

async function drillDatabase(server: OwnServer): Promise<Row> {
  const length = sized(15, 1)
  const stops = Array.from({ length }, (_, i) => (i % 3 === 2 ? ('fast' as const) : ('immediate' as const)))
  const result = await runDatabaseStops(server, { stops, shoppers: sized(12, 2), awayMs: sized(1500, 300) })
  const meanwhile = result.rounds.flatMap((round) => round.meanwhile)
  const unready = meanwhile.filter(isWrong)
  const backAfter = result.rounds.map(({ backAfterMs }) => backAfterMs)
  return {
    drill: 'the database stops',
    done: `${stops.filter((how) => how === 'immediate').length} immediate, ${stops.filter((how) => how === 'fast').length} fast`,
    wrong: [
      ...result.violations,
      ...result.errors,
      ...result.stale,
      ...(result.isRunning ? [] : ['the shop stopped']),
      ...(!isSmallest && Math.max(...backAfter) > 2000 ? ['it took more than 2 s to work again'] : []),
      ...unready.slice(0, 5).map(({ path, status }) => `${path} answered ${status} while the database was away`),
    ],
    figures: `${meanwhile.length} answers, the slowest after ${ms(slowest(meanwhile))}; works ${ms(percentile(backAfter, 0.5))} after the return, at most ${ms(Math.max(...backAfter))}; ${describeKeptMoney(result.orders.completed, result.kept, result.orders.covered)}`,
  }
}

const SELLERS = sized(1000, 12)

async function drillPayouts(server: OwnServer): Promise<Row> {
  const { kills, wrong, restedMs } = await runPayouts(await server.createDatabase('payouts'), { sellers: SELLERS })
  return {
    drill: 'kill -9 at each step of a payout batch',
    done: `${SELLERS} sellers, ${kills.length} kills`,
    wrong,
    figures: `each seller paid once or credited again, sums equal; at rest after ${ms(restedMs)}`,
  }
}

async function drillSeeded(): Promise<Row> {
  const seeded = sized(
    SEEDED,
    SEEDED.filter(({ defect }) => defect === 'float money'),
  )
  const { caught, wrong } = await runSeeded(seeded)
  return {
    drill: 'planted defects',
    done: `${seeded.length} defects`,
    wrong,
    figures: `${caught} of ${seeded.length} noticed by their smallest test`,
  }
}

async function drillMoney(server: OwnServer, name: MoneyProvider): Promise<Row> {
  const startedAt = performance.now()
  const wrong: string[] = []
  const done: string[] = []
  for await (const { part, done: did, violations } of runMoney(name, server.createDatabase, isSmallest)) {
    done.push(part)
    wrong.push(...violations.map((one) => `${part}: ${one}`))
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`  ${name}, ${part}: ${did}: ${violations.length} violations (${seconds} s in all)`)
  }
  return { drill: `money: ${name}`, done: `${done.length} parts`, wrong, figures: `${wrong.length} violations` }
}

const LAST_CODES = sized(100, 1)
const CODE_BUYERS = sized(20, 4)

async function drillLastCode(server: OwnServer): Promise<Row> {
  const { wrong } = await runLastCode(await server.createDatabase('last_code'), {
    rounds: LAST_CODES,
    buyers: CODE_BUYERS,
  })
  return {
    drill: `the last code, ${CODE_BUYERS} buyers on two nodes`,
    done: `${LAST_CODES} rounds`,
    wrong,
    figures: `${LAST_CODES} codes sold once each, ${LAST_CODES * (CODE_BUYERS - 1)} buyers not charged`,
  }
}

const UPLOAD_MB = sized(1024, 40)
const UPLOADS_LEFT = sized(100, 6)

async function drillUploads(server: OwnServer): Promise<Row> {
  const wrong: string[] = []
  const figures: string[] = []
  for (const store of UPLOAD_STORES) {
    const result = await runUploads(await server.createDatabase(`uploads_${store}`), {
      ...{ store, megabytes: UPLOAD_MB, abandoned: UPLOADS_LEFT },
    })
    wrong.push(...result.wrong.map((one) => `${store}: ${one}`))
    figures.push(`${store}: ${Math.round(result.seconds)} s, ${result.sentAgain} requests repeated`)
  }
  return {
    drill: 'an upload with kills and cuts on two nodes',
    done: `${UPLOAD_MB} MB, 2 kills, 3 cuts, ${UPLOADS_LEFT} uploads left; each store`,
    wrong,
    figures: figures.join('; '),
  }
}

async function drillGuide(): Promise<Row> {
  const drill = 'the guide from one machine to two nodes'
  // A reader copies the commands of the guide, so the smallest profile only checks their syntax.
  if (isSmallest) return { drill, done: 'syntax only', wrong: readGuideProblems(), figures: 'nothing started' }
  const missing = missingOfGuide()
  if (missing.length > 0) {
    console.log(
      `  SKIPPED: ${drill} needs ${missing.join(', ')}. Install them: apt-get install postgresql nginx openssl curl`,
    )
    return { drill, done: 'SKIPPED', wrong: [], figures: `not installed: ${missing.join(', ')}` }
  }
  const { wrong, commands, seconds } = await runGuide()
  return { drill, done: `${commands} lines of commands`, wrong, figures: `${Math.round(seconds)} s` }
}

const drills: Record<string, Drill> = {
  faults: drillFaults,
  steps: drillSteps,
  kills: drillKills,
  payouts: drillPayouts,
  codes: drillLastCode,
  database: drillDatabase,
  uploads: drillUploads,
  cluster: () => drillCluster(values.part),
  guide: drillGuide,
  seeded: drillSeeded,
}

const asked = positionals
// the money drill repeats faults, steps and kills, so it runs only when it is named
if (asked.includes('money'))
  for (const name of values.provider ? [named] : MONEY_PROVIDERS)
    drills[`money ${name}`] = (own) => drillMoney(own, name)
const names = new Set(Object.keys(drills).map((name) => firstOf(name.split(' '))))
const unknown = asked.filter((name) => !names.has(name) && name !== 'money')
if (unknown.length > 0)
  throw new Error(`No drill is called ${unknown.join(', ')}. There are: ${[...names].join(', ')}, money.`)
const rows: Row[] = []
const server = await openServer()
try {
  for (const [name, drill] of Object.entries(drills)) {
    if (asked.length > 0 && !asked.includes(firstOf(name.split(' ')))) continue
    let startedAt = performance.now()
    const result = drill(server)
    for await (const row of Symbol.asyncIterator in result ? result : [await result]) {
      rows.push(row)
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      const outcome = row.wrong.length > 0 ? 'FAILED' : row.done.startsWith('SKIPPED') ? 'SKIPPED' : 'ok'
      console.log(`${outcome.padEnd(7)}  ${row.drill}, ${seconds} s`)
      startedAt = performance.now()
    }
  }
} finally {
  await server.remove()
}

console.log('\n| drill | done | wrong | figures |\n|---|---|---|---|')
for (const { drill, done, wrong, figures } of rows) console.log(`| ${drill} | ${done} | ${wrong.length} | ${figures} |`)
for (const { drill, wrong } of rows) for (const one of wrong) console.log(`\n${drill}: ${one}`)
process.exitCode = rows.every(({ wrong }) => wrong.length === 0) ? 0 : 1
