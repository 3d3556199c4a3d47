import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, openConnection, requestText } from './connection.ts'
import { createRandom } from '../drill/shoppers.ts'
import type { CrowdOrder, CrowdReport, Deed } from './deeds.ts'
import { required } from '../src/kit/values/required.ts'

// A thousand people in a separate process. Each has a connection, an open change feed and a cart, and repeats one
// action and a pause. The first `CrowdOrder` starts them. After the last one, each finishes the current action. The
// process answers each `CrowdOrder` after its seconds.

const SHARES: Record<Deed, number> = {
  list: 0.2,
  detail: 0.25,
  search: 0.15,
  page: 0.13,
  cart: 0.15,
  checkout: 0.1,
  chat: 0.02,
}
const THINKING_MS = 5_000
const QUESTIONS = ['What is the cheapest audio product you sell?', 'How do I get a refund?', 'where is my order']

type Person = { cookie: string; connection: Connection; cart: string[] }

let times: Record<Deed, number[]>
let errors: string[]
let events: number
let feeds = 0
const start = () => {
  times = { list: [], detail: [], search: [], page: [], cart: [], checkout: [], chat: [] }
  errors = []
  events = 0
}

const random = createRandom(1)
const pick = <T>(list: T[]): T => required(list[Math.floor(random() * list.length)], 'an entry of list')

/** Spells half of the searches in a way that no cache has. */
const spell = (words: string) =>
  random() < 0.5 ? words : words.replace(/[a-z]/g, (letter) => (random() < 0.5 ? letter : letter.toUpperCase()))

function pickDeed(): Deed {
  let left = random()
  for (const [deed, share] of Object.entries(SHARES) as [Deed, number][]) if ((left -= share) < 0) return deed
  return 'list'
}

async function gather({ port, cookies, productIds, searches }: CrowdOrder) {
  const prices = new Map<string, number>()
  for (const id of productIds) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/products/${id}`)
    prices.set(id, Math.round(Number(((await answer.json()) as { price: string }).price) * 100))
  }
  const people = cookies.map((cookie): Person => ({ cookie, connection: openConnection(port), cart: [] }))
  await Promise.all(people.map(({ cookie }) => follow(port, cookie)))

  async function ask({ connection, cookie }: Person, line: string, body?: object): Promise<string> {
    const answer = await connection.send(requestText(port, line, cookie, body))
    if (answer.status >= 300) throw new Error(`${line} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
    return answer.body
  }

  async function fill(person: Person) {
    const productId = pick(productIds)
    await ask(person, 'POST /api/cart', { productId, quantity: 1 })
    person.cart.push(productId)
    await ask(person, 'GET /api/cart')
  }

  const deeds: Record<Deed, (person: Person) => Promise<unknown>> = {
    list: (person) => ask(person, 'GET /api/products?limit=24'),
    detail: (person) => ask(person, `GET /api/products/${pick(productIds)}`),
    search: (person) => ask(person, `GET /api/products?limit=24&q=${encodeURIComponent(spell(pick(searches)))}`),
    page: (person) => ask(person, `GET ${pick(['/', '/cart', '/orders', `/product/${pick(productIds)}`])}`),
    cart: fill,
    checkout: async (person) => {
      if (person.cart.length === 0) await fill(person)
      const cents = person.cart.reduce((sum, id) => sum + required(prices.get(id), 'a price'), 0)
      const amount = (cents / 100).toFixed(2)
      const started = await ask(person, 'POST /order', { amount, currency: 'USD', intent: 'capture' })
      person.cart = []
      const { id } = JSON.parse(started) as { id: string }
      await ask(person, `POST /sandbox/paypal/test/orders/${id}/approve`)
      const captured = await ask(person, `POST /order/${id}/capture`)
      if (!captured.includes('"status":"COMPLETED"')) throw new Error(`not completed: ${captured.slice(0, 200)}`)
    },
    chat: async (person) => {
      const message = `${pick(QUESTIONS)}${random() < 0.5 ? '' : ` I am number ${Math.floor(random() * 1e6)}`}`
      const { id } = JSON.parse(await ask(person, 'POST /api/chat', { message })) as { id: string }
      const answer = await fetch(`http://127.0.0.1:${port}/api/chat/answers/${id}`, {
        headers: { cookie: person.cookie },
      })
      if (!(await answer.text()).includes('"isDone"')) throw new Error('an answer of the chat did not end')
    },
  }

  async function live(person: Person) {
    await pause(random() * THINKING_MS)
    while (!isOver) {
      const deed = pickDeed()
      const startedAt = performance.now()
      try {
        await deeds[deed](person)
        times[deed].push(performance.now() - startedAt)
      } catch (error) {
        errors.push(`${deed}: ${error instanceof Error ? error.message : String(error)}`)
        if (!person.connection.isOpen()) person.connection = openConnection(port)
        person.cart = []
        await ask(person, 'DELETE /api/cart').catch(() => undefined)
      }
      await pause(-Math.log(1 - random()) * THINKING_MS)
    }
  }
  for (const person of people) void live(person)
}

function follow(port: number, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' }
    get({ port, path: '/api/events', headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the change feed answered ${response.statusCode}`))
      feeds++
      resolve()
      response.on('data', (chunk: Buffer) => (events += chunk.toString().split('data:').length - 1))
      response.on('close', () => {
        feeds--
        errors.push('a change feed ended')
        setTimeout(() => void follow(port, cookie).catch((error: Error) => errors.push(error.message)), 3_000)
      })
    }).on('error', reject)
  })
}

let isStarted = false
let isOver = false
process.on('message', async (order: CrowdOrder) => {
  try {
    start()
    if (!isStarted) await gather(order)
    isStarted = true
    isOver = order.isLast
    await pause(order.seconds * 1000)
    const result: CrowdReport = { times, errors, events, feeds }
    process.send?.({ result })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
