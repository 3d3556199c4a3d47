import { setTimeout as pause } from 'node:timers/promises'
import { openBenchStage } from './stage.ts'

// node scripts/run.mjs bench/chat.ts: 100 people write in the chat at once, five messages each, a few seconds apart. Prints
// how long a message takes to be stored, when the first words of its answer come, and what the list of products costs meanwhile.

const PEOPLE = 100
const MESSAGES = 5
const GAP_MS = 4_000
const QUESTIONS = [
  'What is the cheapest audio product you sell?',
  'and in e-books?',
  'How do I get a refund?',
  'where is my order',
  'something for a baker under $20',
]
const NAMES = ['Ada', 'Bo', 'Cem', 'Dina', 'Eva', 'Finn', 'Gül', 'Hana', 'Ivo', 'Jin']
/** No two people use the same words, so that no vector of a question is known before. */
const wordsOf = (person: number, i: number) =>
  `${QUESTIONS[i]!} Thanks, ${NAMES[person % 10]!} ${NAMES[Math.floor(person / 10)]!}`

const stage = await openBenchStage({ products: 1_000, users: PEOPLE + 10, orders: 0 }, { members: PEOPLE })
const url = `http://127.0.0.1:${stage.port}`
const { members } = stage
const at = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
const sort = (times: number[]) => times.toSorted((a, b) => a - b)

async function list(): Promise<number> {
  const started = performance.now()
  await (await fetch(`${url}/api/products?limit=24&sort=price-asc`)).arrayBuffer()
  return performance.now() - started
}
async function listUntil(isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    times.push(await list())
    await pause(10)
  }
  return sort(times)
}

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
  const stream = await fetch(`${url}/api/chat/answers/${id}`, { headers: { cookie } })
  const decoder = new TextDecoder()
  for await (const part of stream.body!) if (/"text"|"isDone"/.test(decoder.decode(part))) break
  return { stored, first: performance.now() - started }
}

// the first question starts the model of meanings, and the assistant learns the products
await write(members[0]!.cookie, QUESTIONS[0]!)
await pause(30_000)
const quietEnd = Date.now() + 10_000
const quiet = await listUntil(() => Date.now() > quietEnd)

let isOver = false
const busy = listUntil(() => isOver)
const all = await Promise.all(
  members.map(async ({ cookie }, person) => {
    const found: { stored: number; first: number }[] = []
    for (let i = 0; i < MESSAGES; i++) {
      // spread evenly, the same in every run
      await pause(((person * 37 + i * 11) % 100) * (GAP_MS / 100))
      found.push(await write(cookie, wordsOf(person, i)))
    }
    return found
  }),
)
isOver = true
const messages = all.flat()
const stored = sort(messages.map((one) => one.stored))
const first = sort(messages.map((one) => one.first))
const loaded = await busy
const ms = (value: number) => `${value.toFixed(0)} ms`
console.log(`${messages.length} messages of ${PEOPLE} people`)
console.log(`stored: p50 ${ms(at(stored, 0.5))}, p99 ${ms(at(stored, 0.99))}`)
console.log(`first words: p50 ${ms(at(first, 0.5))}, p95 ${ms(at(first, 0.95))}, p99 ${ms(at(first, 0.99))}`)
console.log(`list of products: p99 ${ms(at(quiet, 0.99))} alone, ${ms(at(loaded, 0.99))} meanwhile`)
await stage.close()
