import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { endedStatus } from '../../orders/states.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import type { Context } from './context.server.ts'
import type { Draft } from './answer.ts'
import { draft, listed, quoted } from './draft.rules.ts'
import {
  MAX_READ,
  type OwnedThing,
  type Purchase,
  type PurchaseQuery,
  readOwned,
  readPurchases,
  readSpending,
  type Sums,
} from './purchases.server.ts'
import { answerByRules, type Rule } from './rule.ts'
import { stemsOf } from './words.rules.ts'

const MAX_SHOWN = 5

/** A question about purchases. The intent 'follow' refers to the orders that were shown. */
export type PurchaseQuestion = Context & { intent: string; confidence: number }

/** A question with the newest orders of the member. */
export type OrderQuestion = PurchaseQuestion & {
  all: Purchase[]
  /** The orders whose lines the text mentions. */
  named: Purchase[]
}

/** Answers questions about the member's own orders. Every query uses the member's id from the session. */
export async function answerAboutPurchases(intent: string, context: Context, confidence: number): Promise<Draft> {
  const question = { ...context, intent, confidence }
  const early = await answerByRules(PURCHASE_RULES, question)
  if (early) return early
  const all = await readOrders(question)
  const named = namedIn(context.text, all)
  return (await answerByRules(ORDER_RULES, { ...question, all, named })) ?? listOrders({ ...question, all, named })
}

const readOrders = ({ tools, userId }: Context, wanted?: PurchaseQuery) => readPurchases(tools.pool, userId, wanted)

function reply(
  { intent, confidence }: PurchaseQuestion,
  text: string,
  orders: Purchase[] = [],
  more: Partial<Draft> = {},
): Draft {
  const ids = orders.slice(0, MAX_SHOWN).map(({ id }) => id)
  return draft({
    intent,
    confidence: Math.min(1, confidence),
    text,
    orders: ids,
    tools: ['orders'],
    sources: ['/orders'],
    frame: { kind: 'orders', intent, ids },
    ...more,
  })
}

/** Rules for answers that need no list of orders. */
export const PURCHASE_RULES: Rule<PurchaseQuestion>[] = [
  {
    name: 'money spent',
    when: ({ intent }) => intent === 'spent',
    async answer(question) {
      return reply(question, describeSums(await readSums(question)).spent, [], {
        tools: ['spent'],
        sources: ['/profile'],
      })
    },
  },
  {
    name: 'store credit',
    when: ({ intent }) => intent === 'credit',
    async answer(question) {
      const text = describeSums(await readSums(question)).credit
      return reply(question, text, [], { tools: ['credit'], sources: ['/profile'], articles: ['store-credit'] })
    },
  },
  {
    name: 'an order by its number',
    when: ({ asking }) => asking.order !== null,
    async answer(question) {
      const number = question.asking.order ?? ''
      const found = await readOrders(question, { number })
      return found[0]
        ? reply(question, describeOrder(found[0]), found)
        : reply(question, `You have no order #${number.toUpperCase()}. Your orders are listed under Orders.`)
    },
  },
  {
    name: 'the library',
    when: ({ intent, frame, text }) =>
      intent === 'owned' || (intent === 'follow' && frame?.intent === 'owned' && /\bmany\b/.test(text)),
    answer: async (question) => describeOwnedThings(question, await readOwned(question.tools.pool, question.userId)),
  },
]

async function readSums({ tools, userId }: Context): Promise<Sums> {
  const [sums] = await readSpending(tools.pool, userId)
  return sums ?? { spent: 0, credit: 0 }
}

export const describeSums = ({ spent, credit }: Sums) => ({
  spent: `You have spent ${usd(spent)} here, without refunds and store credit.`,
  credit: `Your store credit is ${usd(credit)}. The cart uses it first, unless you turn it off.`,
})

const STATUSES = ['pending', 'failed', 'refunded'] as const
const statusIn = (intent: string) => STATUSES.find((status) => status === intent)

/** Rules for answers from the newest orders. The last rule lists them. */
export const ORDER_RULES: Rule<OrderQuestion>[] = [
  {
    name: 'no orders',
    when: ({ all }) => all.length === 0,
    answer: (question) =>
      reply(question, 'You have no orders yet. When you buy something, it is listed under Orders.', [], {
        articles: ['orders'],
      }),
  },
  {
    name: 'the orders that were shown',
    when: ({ intent }) => intent === 'follow',
    async answer(question) {
      const { frame, all } = question
      const shown = frame?.kind === 'orders' && frame.ids ? await readOrders(question, { ids: frame.ids }) : []
      const chosen = shown.length > 0 ? shown : all.slice(0, 1)
      return reply(question, chosen.map(chosen.length === 1 ? describeOrder : brief).join('\n'), chosen)
    },
  },
  {
    name: 'orders by status',
    when: ({ intent }) => statusIn(intent) !== undefined,
    answer: describeStatus,
  },
  { name: 'codes and keys', when: ({ intent }) => intent === 'code', answer: describeCodes },
  { name: 'files', when: ({ intent }) => intent === 'files', answer: describeFiles },
  {
    name: 'an order by a title in it',
    when: ({ named }) => named.length > 0,
    answer: (question) => reply(question, question.named.slice(0, 1).map(describeOrder).join(''), question.named),
  },
  {
    name: 'the newest order',
    when: ({ text, all }) => all.length === 1 || /\b(?:last|latest|newest|recent)\b/.test(text),
    answer: (question) => {
      const newest = question.all.slice(0, 1)
      return reply(question, newest.map(describeOrder).join(''), newest)
    },
  },
  { name: 'all orders', when: () => true, answer: listOrders },
]

function listOrders(question: OrderQuestion): Draft {
  const { all } = question
  const count = all.length > MAX_SHOWN ? `newest ${MAX_SHOWN}` : all.length
  return reply(question, `Your ${count} orders, newest first. Each shows its status.`, all)
}

async function describeStatus(question: OrderQuestion): Promise<Draft> {
  const { intent, all } = question
  const some = await readOrders(question, { status: statusIn(intent) })
  const articles = { articles: ['orders'] }
  if (some[0]) return reply(question, describeOrder(some[0]), some, intent === 'refunded' ? {} : articles)
  const newest = all.slice(0, 1)
  return reply(
    question,
    `None of your orders is ${intent}. Your newest: ${newest.map(brief).join('')}`,
    newest,
    articles,
  )
}

function describeOwnedThings(question: PurchaseQuestion, owned: OwnedThing[]): Draft {
  const more = { tools: ['library'], sources: ['/library'], articles: ['library'] }
  return reply(question, describeLibrary(owned), [], more)
}

export function describeLibrary(owned: OwnedThing[]): string {
  if (owned.length === 0) return 'Your library is empty. What you buy appears there at once.'
  const titles = owned.slice(0, 8).map(({ title }) => quoted(title))
  const all = owned[0]!.owned
  const rest = all - titles.length
  return `You own ${plural(all, 'thing')}: ${listed(rest > 0 ? [...titles, `${rest} more`] : titles)}. All of it is in your Library.`
}

function describeCodes(question: OrderQuestion): Draft {
  const { named, all } = question
  const [one] = named
  const some = (one ? named : all).filter(
    ({ status, lines }) =>
      status === 'completed' && lines.some(({ delivery }) => delivery === 'code' || delivery === 'license'),
  )
  if (some.length > 0)
    return reply(
      question,
      `Open order #${shortId(some[0]!.id)} and press Show code beside the product. I never see codes, so I cannot show one here.`,
      some,
      { articles: ['codes'] },
    )
  if (one?.status === 'completed')
    return reply(question, `Order #${shortId(one.id)} (${titlesOf(one)}) holds no code or key.`, [one], {
      articles: ['codes'],
    })
  if (one) return reply(question, describeOrder(one), [one], { articles: ['codes'] })
  const unpaid = all.filter(({ status }) => status === 'pending')
  const completed = all.length < MAX_READ ? 'completed orders' : `newest ${MAX_READ} orders`
  return reply(
    question,
    `None of your ${completed} holds a code or a key. A pending order has to be paid first.`,
    unpaid,
    {
      articles: ['codes'],
    },
  )
}

function describeFiles(question: OrderQuestion): Draft {
  const { named, all } = question
  const [one] = named
  if (one && one.status !== 'completed') return reply(question, describeOrder(one), [one], { articles: ['orders'] })
  const done = (one ? named : all).filter(({ status }) => status === 'completed')
  const waiting = all.filter(({ status }) => status === 'pending')
  if (done.length === 0)
    return reply(question, describeOrder(waiting[0] ?? all[0]!), [waiting[0] ?? all[0]!], { articles: ['orders'] })
  const files = done.filter(({ lines }) => lines.some(({ delivery }) => delivery === 'file'))
  const from = files[0] ?? done[0]!
  return reply(
    question,
    `${titlesOf(from)} is ready: open order #${shortId(from.id)} and press Download, or find it in your Library.`,
    files.length > 0 ? files : done,
    { articles: ['downloads'] },
  )
}

const titlesOf = ({ lines }: Purchase) => listed(lines.slice(0, 4).map(({ title }) => quoted(title)))
const SAID: Record<Purchase['status'] | 'canceled', string> = {
  pending: 'pending: it waits for payment',
  completed: 'completed: it is paid, and your goods are ready',
  canceled: 'canceled: you canceled it, and you were not charged',
  failed: 'failed: it was not paid, or the payment could not be used',
  refunded: 'refunded: you got the money back, and the goods no longer open',
}
const statusOf = ({ status, code }: Purchase) => endedStatus(status, code)
const brief = (order: Purchase) => `Order #${shortId(order.id)} (${titlesOf(order)}) is ${statusOf(order)}.`

export function describeOrder(order: Purchase): string {
  const state = order.isHeld ? 'pending: it is held for a check of up to 24 hours' : SAID[statusOf(order)]
  const unpaid = order.status === 'pending' && !order.isHeld && order.minutesLeft !== null
  const due = unpaid
    ? ` You have 30 minutes to pay; ${plural(order.minutesLeft!, 'minute')} ${order.minutesLeft === 1 ? 'is' : 'are'} left. Press Finish payment or Cancel order.`
    : ''
  return `Order #${shortId(order.id)} over ${usd(order.cents)} with ${titlesOf(order)} is ${state}.${due}`
}

/** Returns orders with a line whose title shares a distinctive word with the text. */
function namedIn(text: string, orders: Purchase[]): Purchase[] {
  const said = new Set(stemsOf(text))
  const rated = orders.map((order) => ({
    order,
    hits: Math.max(0, ...order.lines.map(({ title }) => stemsOf(title).filter((one) => said.has(one)).length)),
  }))
  const most = Math.max(0, ...rated.map(({ hits }) => hits))
  return most === 0 ? [] : rated.filter(({ hits }) => hits === most).map(({ order }) => order)
}
