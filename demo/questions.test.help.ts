import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Draft } from '../src/assistant/answers/answer.ts'
import type { Mind } from '../src/assistant/answers/answer.server.ts'
import { openCodeVault } from '../src/delivery/codes/vault.server.ts'
import { addSamples } from '../src/reviews/reviews.server.ts'
import { type Served, startServed } from '../test/served.ts'
import { idOf } from './made.ts'
import { addProducts, readProducts, readReviews } from './seed.ts'

// The demo store with one buyer, and the checks of the answers that questions.json expects.

/** Conversations. Each turn is a message and the expected texts. ' | ' separates alternatives. */
export const conversations = JSON.parse(readFileSync(join(import.meta.dirname, 'questions.json'), 'utf8')) as [
  question: string,
  ...wants: string[],
][][]

const products = new Map(readProducts().map((product) => [product.id, product]))

export type DemoShop = Served & { buyer: string; orders: Map<string, string> }

/** The buyer owns Salt and Time and a gift card, has an unpaid order, a refunded one and a failed one. */
export async function openDemoShop(): Promise<DemoShop> {
  const shop = await startServed(() => [])
  const { id: seller } = await shop.addPerson({ firstName: 'Sally', lastName: 'Seller' })
  const vault = openCodeVault('a secret of a test, 32 characters long')
  await addProducts({ database: shop, storage: shop.storage, vault }, [seller], readProducts(), 1)
  await addSamples(shop.db, readReviews())
  const { id: buyer } = await shop.addPerson({ firstName: 'Ada', lastName: 'Buyer' })
  const orders = new Map<string, string>()
  let days = 4
  for (const [status, slugs] of [
    ['completed', ['salt-and-time', 'fernhill-bookshop-gift-card-25']],
    ['refunded', ['morning-bells']],
    ['failed', ['night-train']],
    ['pending', ['btc-demo-voucher-50']],
  ] as const) {
    orders.set(await addOrder(shop, buyer, status, slugs.map(idOf), days--), status)
  }
  return { ...shop, buyer, orders }
}

/** Inserts the rows of an order without a payment. */
export async function addOrder(
  { pool }: Pick<Served, 'pool'>,
  userId: string,
  status: string,
  productIds: string[],
  daysAgo = 0,
) {
  const isPaid = status === 'completed' || status === 'refunded'
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO orders (user_id, checkout_key, request_hash, status, source, total_cents, created_at, expires_at, completed_at)
    SELECT $1, gen_random_uuid()::text, '', $2, 'cart', sum(price_cents), now() - $4::int * interval '1 day', now() + interval '30 minutes',
      CASE WHEN $5 THEN now() END FROM products WHERE id = ANY ($3) RETURNING id`,
    [userId, status, productIds, daysAgo, isPaid],
  )
  const { id } = rows[0]!
  await pool.query(
    `WITH lines AS (
      INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
      SELECT $1, row_number() OVER (ORDER BY title DESC), id, seller_id, title, price_cents, 1, delivery, file_id
      FROM products WHERE id = ANY ($2) RETURNING *)
    INSERT INTO entitlements (order_line_id, user_id, product_id, file_id, revoked_at)
    SELECT id, $3, product_id, file_id, CASE WHEN $4 = 'refunded' THEN now() END FROM lines WHERE $4 IN ('completed', 'refunded')`,
    [id, productIds, userId, status],
  )
  return id
}

const cents = (price: string) => Math.round(Number(price) * 100)

/** Returns the expectations that the answer does not meet. */
export function missedBy(answer: Draft, wants: string[], orders: Map<string, string>): string[] {
  const cards = answer.products.map((id) => products.get(id)!)
  const meets = (want: string): boolean => {
    const [, name, value = ''] = /^([\w-]+)=?(.*)$/.exec(want)!
    switch (name) {
      case 'first':
        return cards[0]?.title.startsWith(value) ?? false
      case 'has':
        return cards.some(({ title }) => title.includes(value))
      case 'price':
        return cards[0]?.price === value
      case 'category':
        return cards.length > 0 && cards.every(({ categoryId }) => categoryId === value)
      case 'under':
        return cards.length > 0 && cards.every(({ price }) => cents(price) < cents(value))
      case 'over':
        return cards.length > 0 && cards.every(({ price }) => cents(price) >= cents(value))
      case 'cards':
        return cards.length > 0
      case 'article':
        return answer.articles.includes(value) && !answer.isUnsure
      case 'order':
        return answer.orders.some((id) => orders.get(id) === value)
      case 'orders':
        return value === '1' ? answer.orders.length === 1 : answer.orders.length >= Number(value || 1)
      case 'says':
        return new RegExp(value, 'i').test(answer.text)
      case 'intent':
        return answer.intent === value
      case 'person':
        return answer.wantsPerson || answer.offersPerson
      case 'unsure':
        return answer.isUnsure
      case 'not-code':
        return !/DEMO-/.test(answer.text)
      default:
        throw new Error(`an unknown want: ${want}`)
    }
  }
  return wants.filter((want) => !want.split(' | ').some(meets))
}

/** Returns prices in an answer that no product, order or article of the demo store has. */
export function inventedPrices(
  { text, articles, products: ids, intent }: Draft,
  bodyOf: (slug: string) => string,
): string[] {
  const real = new Set([
    ...ids.map((id) => cents(products.get(id)!.price)),
    ...(intent === 'spent' || intent === 'credit' ? [2950, 0] : []),
    ...[450 + 2500, 250, 400, 5000],
  ])
  const written = articles.map(bodyOf).join(' ')
  return (
    [...text.matchAll(/\$\d[\d,]*(?:\.\d+)?/g)]
      .map(([price]) => price)
      .filter((price) => !real.has(cents(price.slice(1).replaceAll(',', ''))) && !written.includes(price))
      // A voucher's title contains its amount.
      .filter((price) => ![...products.values()].some(({ title }) => title.endsWith(price) && text.includes(title)))
  )
}

export type TestQuestion = {
  question: string
  wants: string[]
  isUnseen: boolean
  isFollowUp: boolean
  isNearAttack: boolean
  /** A regression case: its answer must always be right. */
  isSettled: boolean
  answer: Draft
  missed: string[]
  ms: number
}

const AT_ONCE = 8
/** Later conversations were used for tuning after they had shown weaknesses. */
const MANY_WITH_UNSEEN = 166

/** Index of the first regression case. The last one is before `MANY_BEFORE_NEAR`. */
const MANY_BEFORE_SETTLED = 206
/** The last conversations are everyday questions that share words with attacks. */
const MANY_BEFORE_NEAR = 219

/** Runs all conversations, eight at a time. Every third of the first `MANY_WITH_UNSEEN` stays unseen during tuning. */
export async function holdAll(mind: Mind, { buyer, orders }: DemoShop): Promise<TestQuestion[]> {
  async function hold(turns: (typeof conversations)[number], at: number): Promise<TestQuestion[]> {
    const asked: TestQuestion[] = []
    let frame: Draft['frame'] = null
    for (const [turn, [question, ...wants]] of turns.entries()) {
      const started = performance.now()
      const answer = await mind.answer({ userId: buyer, text: question, frame })
      asked.push({
        ...{ question, wants, answer },
        isUnseen: at < MANY_WITH_UNSEEN && at % 3 === 2,
        isFollowUp: turn > 0,
        isNearAttack: at >= MANY_BEFORE_NEAR,
        isSettled: at >= MANY_BEFORE_SETTLED && at < MANY_BEFORE_NEAR,
        missed: missedBy(answer, wants, orders),
        ms: performance.now() - started,
      })
      frame = answer.frame ?? frame
    }
    return asked
  }
  const all: TestQuestion[][] = []
  const waiting = conversations.entries()
  const talk = async () => {
    for (const [at, turns] of waiting) all[at] = await hold(turns, at)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, talk))
  return all.flat()
}
