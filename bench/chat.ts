import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { places, sized } from '../drill/profile.ts'
import { writeLimits } from '../src/support/chat/chat.server.ts'
import type { Reading } from './listReader.ts'
import { cpuMs, openBenchStage, postgresCpuMs, startHelper } from './stage.ts'
import { firstOf, required } from '../src/kit/values/required.ts'

// node scripts/run.mjs --build bench/chat.ts [FOLDER]: 100 people send five chat messages each, at the rate limit of an
// account. Like the page, each reads the status and the conversation after a message and after its answer. Prints the
// time to store a message, the time to the first words of its answer, and the time of the product list for another
// shopper, alone and meanwhile. Shows medians of three rounds after a warm-up. Then repeats all at three times the
// rate, which the limit of real accounts forbids.

const PEOPLE = sized(100, 3)
const MESSAGES = sized(5, 2)
const { count, seconds } = firstOf(writeLimits)
const ALLOWED_MS = sized((2 * seconds * 1000) / count, 1000)
const FASTER = 3
const ROUNDS = sized(3, 1)
const QUESTIONS = [
  'What is the cheapest audio product you sell?',
  'and in e-books?',
  'How do I get a refund?',
  'where is my order',
  'something for a baker under $20',
]
const NAMES = ['Ada', 'Bo', 'Cem', 'Dina', 'Eva', 'Finn', 'Gül', 'Hana', 'Ivo', 'Jin']
const ENDS = ['Thanks', 'Greetings', 'Bye', 'Cheers', 'Kind regards', 'Regards', 'Best wishes']
/** Makes every message different, so that the cache has no embedding of it. */
const wordsOf = (round: number, person: number, i: number) =>
  `${required(QUESTIONS[i], 'an entry of QUESTIONS')} ${required(ENDS[round], 'an entry of ENDS')}, ${required(NAMES[person % 10], 'an entry of NAMES')} ${required(NAMES[Math.floor(person / 10)], 'an entry of NAMES')}`

const stage = await openBenchStage(
  sized({ products: 1_000, users: PEOPLE + 10, orders: 0 }, { products: 100, users: 20, orders: 100 }),
  { members: PEOPLE, folder: places[0] },
)
const url = `http://127.0.0.1:${stage.port}`
const { members } = stage
const reader = await startHelper<Reading, number[]>('listReader.ts')
const at = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
const sort = (times: number[]) => times.toSorted((a, b) => a - b)
const median = (values: number[]) => at(sort(values), 0.5)

async function write(cookie: string, message: string) {
  const started = performance.now()
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ message }),
  })
  if (response.status !== 201) throw new Error(`the chat answered ${response.status}: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  const stored = performance.now() - started
  void look(cookie)
  const stream = await fetch(`${url}/api/chat/answers/${id}`, { headers: { cookie } })
  const decoder = new TextDecoder()
  let first = 0
  for await (const part of required(stream.body, 'the body of the response'))
    if (/"text"|"isDone"/.test(decoder.decode(part))) first ||= performance.now() - started
  await look(cookie)
  return { stored, first }
}

const look = (cookie: string) =>
  Promise.all(
    ['/api/chat', '/api/chat/status'].map(async (path) =>
      (await fetch(url + path, { headers: { cookie } })).arrayBuffer(),
    ),
  )

async function crowd(round: number, gapMs: number) {
  const all = members.map(async ({ cookie }, person) => {
    const found: { stored: number; first: number }[] = []
    for (let i = 0; i < MESSAGES; i++) {
      await pause(((person * 37 + i * 11) % 100) * (gapMs / 100))
      found.push(await write(cookie, wordsOf(round, person, i)))
    }
    return found
  })
  return (await Promise.all(all)).flat()
}

const ms = (value: number) => `${value.toFixed(1)} ms`
const spent = () => ({ shop: cpuMs(stage.shop.pid), postgres: postgresCpuMs(stage.pgDir), own: process.cpuUsage() })

// the clients get a low priority, because in production they do not share the machine of the shop
setPriority(constants.priority.PRIORITY_LOW)
// the first question loads the embedding model, and the assistant indexes the products
await write(firstOf(members).cookie, firstOf(QUESTIONS))
await pause(sized(20_000, 0))
// warms the shop up, so that its code is compiled
await crowd(ROUNDS, ALLOWED_MS / FASTER)
await pause(sized(5_000, 0))
async function measureRound(round: number, gapMs: number) {
  const seconds = (MESSAGES * gapMs) / 2_000
  const alone = await reader.ask({ url, seconds })
  const [before, started] = [spent(), performance.now()]
  const [messages, meanwhile] = await Promise.all([crowd(round, gapMs), reader.ask({ url, seconds })])
  const [after, took] = [spent(), performance.now() - started]
  const stored = sort(messages.map((one) => one.stored))
  const first = sort(messages.map((one) => one.first))
  const figures = {
    ...{ stored50: at(stored, 0.5), stored99: at(stored, 0.99) },
    ...{ first50: at(first, 0.5), first95: at(first, 0.95), first99: at(first, 0.99) },
    ...{ alone50: at(alone, 0.5), alone99: at(alone, 0.99), list50: at(meanwhile, 0.5), list99: at(meanwhile, 0.99) },
  }
  const { stored99, first95, alone99, list99 } = figures
  const cpu = (ms: number) => `${((100 * ms) / took).toFixed(0)} %`
  console.log(
    `round ${round + 1}: ${messages.length} messages in ${(took / 1000).toFixed(0)} s; stored p99 ${ms(stored99)}; first words p95 ${ms(first95)}; ` +
      `list p99 ${ms(alone99)} alone, ${ms(list99)} meanwhile; of a core: shop ${cpu(after.shop - before.shop)}, ` +
      `PostgreSQL ${cpu(after.postgres - before.postgres)}, the people ${cpu((after.own.user - before.own.user + after.own.system - before.own.system) / 1000)}`,
  )
  return figures
}
async function measure(gapMs: number, firstRound: number) {
  console.log(`${PEOPLE} people, each a message every ${gapMs / 2000} s and its answer's time`)
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(firstRound + round, gapMs))
  const of = (key: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[key]))
  console.log(`medians of ${ROUNDS} rounds`)
  console.log(`stored: p50 ${ms(of('stored50'))}, p99 ${ms(of('stored99'))}`)
  console.log(`first words: p50 ${ms(of('first50'))}, p95 ${ms(of('first95'))}, p99 ${ms(of('first99'))}`)
  console.log(
    `list of products: p50 ${ms(of('alone50'))} alone, ${ms(of('list50'))} meanwhile; p99 ${ms(of('alone99'))} alone, ` +
      `${ms(of('list99'))} meanwhile, ${median(rounds.map(({ alone99, list99 }) => list99 / alone99)).toFixed(2)} times`,
  )
}
await measure(ALLOWED_MS, 0)
await measure(ALLOWED_MS / FASTER, ROUNDS + 1)
reader.close()
await stage.close()
