import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { endedStatus, shortId } from '../../orders/order.rules.ts'
import type { Context } from './context.server.ts'
import type { Draft } from './answer.ts'
import { draft, listed, quoted } from './draft.rules.ts'
import {
  MAX_READ,
  type OwnedThing,
  type Purchase,
  readOwned,
  readPurchases,
  readSpending,
  type PurchaseQuery,
} from './purchases.server.ts'
import { stemsOf } from './words.rules.ts'

export const PURCHASE_INTENTS = new Set([
  'orders',
  'pending',
  'failed',
  'refunded',
  'spent',
  'credit',
  'owned',
  'files',
  'code',
])

const MAX_SHOWN = 5

/** Answers about the member's own orders. Every row is read by the id of the session. */
export async function answerAboutPurchases(intent: string, context: Context, confidence: number): Promise<Draft> {
  const { userId, asking, tools, text, frame } = context
  const reply = (said: string, orders: Purchase[] = [], more: Partial<Draft> = {}) =>
    draft({
      intent,
      confidence: Math.min(1, confidence),
      text: said,
      orders: orders.slice(0, MAX_SHOWN).map(({ id }) => id),
      tools: ['orders'],
      sources: ['/orders'],
      frame: { kind: 'orders', intent, ids: orders.slice(0, MAX_SHOWN).map(({ id }) => id) },
      ...more,
    })

  if (intent === 'spent' || intent === 'credit') {
    const [sums] = await readSpending(tools.pool, userId)
    const said =
      intent === 'spent'
        ? `You have spent ${usd(sums!.spent)} here, without refunds and store credit.`
        : `Your store credit is ${usd(sums!.credit)}. The cart uses it first, unless you turn it off.`
    return reply(said, [], {
      tools: [intent],
      sources: ['/profile'],
      articles: intent === 'credit' ? ['store-credit'] : [],
    })
  }
  const read = (wanted?: PurchaseQuery) => readPurchases(tools.pool, userId, wanted)
  if (asking.order) {
    const found = await read({ number: asking.order })
    if (found.length === 0)
      return reply(`You have no order #${asking.order.toUpperCase()}. Your orders are listed under Orders.`)
    return reply(tell(found[0]!), found)
  }
  if (intent === 'owned' || (intent === 'follow' && frame?.intent === 'owned' && /\bmany\b/.test(text)))
    return describeOwnedThings(await readOwned(tools.pool, userId), reply)
  const all = await read()
  if (all.length === 0)
    return reply('You have no orders yet. When you buy something, it is listed under Orders.', [], {
      articles: ['orders'],
    })

  const named = namedIn(text, all)
  if (intent === 'follow') {
    const shown = frame?.kind === 'orders' && frame.ids ? await read({ ids: frame.ids }) : []
    const chosen = shown.length > 0 ? shown : all.slice(0, 1)
    return reply(chosen.length === 1 ? tell(chosen[0]!) : chosen.map(brief).join('\n'), chosen)
  }
  if (intent === 'pending' || intent === 'failed' || intent === 'refunded') {
    const some = await read({ status: intent })
    if (some.length > 0) return reply(tell(some[0]!), some, intent === 'refunded' ? {} : { articles: ['orders'] })
    return reply(`None of your orders is ${intent}. Your newest: ${brief(all[0]!)}`, all.slice(0, 1), {
      articles: ['orders'],
    })
  }
  if (intent === 'code') return describeCodes(named, all, reply)
  if (intent === 'files') return describeFiles(named, all, reply)
  if (named.length > 0) return reply(tell(named[0]!), named)
  if (/\b(?:last|latest|newest|recent)\b/.test(text)) return reply(tell(all[0]!), all.slice(0, 1))
  if (all.length === 1) return reply(tell(all[0]!), all)
  return reply(
    `Your ${all.length > MAX_SHOWN ? `newest ${MAX_SHOWN}` : all.length} orders, newest first. Each shows its status.`,
    all,
  )
}

type Reply = (said: string, orders?: Purchase[], more?: Partial<Draft>) => Draft

function describeOwnedThings(owned: OwnedThing[], reply: Reply): Draft {
  const more = { tools: ['library'], sources: ['/library'], articles: ['library'] }
  if (owned.length === 0) return reply('Your library is empty. What you buy appears there at once.', [], more)
  const titles = owned.slice(0, 8).map(({ title }) => quoted(title))
  const all = owned[0]!.owned
  const rest = all - titles.length
  return reply(
    `You own ${plural(all, 'thing')}: ${listed(rest > 0 ? [...titles, `${rest} more`] : titles)}. All of it is in your Library.`,
    [],
    more,
  )
}

function describeCodes(named: Purchase[], all: Purchase[], reply: Reply): Draft {
  const [one] = named
  const some = (one ? named : all).filter(
    ({ status, lines }) =>
      status === 'completed' && lines.some(({ delivery }) => delivery === 'code' || delivery === 'license'),
  )
  if (some.length > 0)
    return reply(
      `Open order #${shortId(some[0]!.id)} and press Reveal beside the product. I never see codes, so I cannot show one here.`,
      some,
      { articles: ['codes'] },
    )
  if (one?.status === 'completed')
    return reply(`Order #${shortId(one.id)} (${titlesOf(one)}) holds no code or key.`, [one], { articles: ['codes'] })
  if (one) return reply(tell(one), [one], { articles: ['codes'] })
  const unpaid = all.filter(({ status }) => status === 'pending')
  const completed = all.length < MAX_READ ? 'completed orders' : `newest ${MAX_READ} orders`
  return reply(`None of your ${completed} holds a code or a key. A pending order has to be paid first.`, unpaid, {
    articles: ['codes'],
  })
}

function describeFiles(named: Purchase[], all: Purchase[], reply: Reply): Draft {
  const [one] = named
  if (one && one.status !== 'completed') return reply(tell(one), [one], { articles: ['orders'] })
  const done = (one ? named : all).filter(({ status }) => status === 'completed')
  const waiting = all.filter(({ status }) => status === 'pending')
  if (done.length === 0) return reply(tell(waiting[0] ?? all[0]!), [waiting[0] ?? all[0]!], { articles: ['orders'] })
  const files = done.filter(({ lines }) => lines.some(({ delivery }) => delivery === 'file'))
  const from = files[0] ?? done[0]!
  return reply(
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
/** Returns the status that the orders page shows. */
const statusOf = ({ status, code }: Purchase) => endedStatus(status, code)
const brief = (order: Purchase) => `Order #${shortId(order.id)} (${titlesOf(order)}) is ${statusOf(order)}.`

function tell(order: Purchase): string {
  const state = order.isHeld ? 'pending: it is held for a check of up to 24 hours' : SAID[statusOf(order)]
  const unpaid = order.status === 'pending' && !order.isHeld && order.minutesLeft !== null
  const due = unpaid
    ? ` You have 30 minutes to pay; ${plural(order.minutesLeft!, 'minute')} ${order.minutesLeft === 1 ? 'is' : 'are'} left. Press Finish payment or Cancel order.`
    : ''
  return `Order #${shortId(order.id)} over ${usd(order.cents)} with ${titlesOf(order)} is ${state}.${due}`
}

/** The orders with a line whose title shares a telling word with the text. */
function namedIn(text: string, orders: Purchase[]): Purchase[] {
  const said = new Set(stemsOf(text))
  const rated = orders.map((order) => ({
    order,
    hits: Math.max(0, ...order.lines.map(({ title }) => stemsOf(title).filter((one) => said.has(one)).length)),
  }))
  const most = Math.max(0, ...rated.map(({ hits }) => hits))
  return most === 0 ? [] : rated.filter(({ hits }) => hits === most).map(({ order }) => order)
}
