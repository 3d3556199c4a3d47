import { setTimeout as pause } from 'node:timers/promises'
import { addToCart, type CartItem, getCart } from '../src/cart/cart.contract.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from '../src/checkout/checkout.contract.ts'
import { send } from '../src/kit/call.ts'
import type { Endpoint, Input, Reply } from '../src/kit/contract.ts'
import { Failure } from '../src/kit/failure.ts'
import { toCents, toDecimal } from '../src/kit/money.ts'
import { getCredit } from '../src/payments/credit.contract.ts'
import type { Order } from '../src/purchases/orders.contract.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import type { Shopper } from './world.ts'
import { required } from '../src/kit/values/required.ts'

// Shoppers who double-click, retry, change their mind and leave. They record what they saw; a call without an answer or
// with a 5xx is unknown and never counts as refused.

export type Manners = {
  random: () => number
  tries: number
  pauseMs: number
  patienceMs: number
  provider?: DrillProvider
  tabs?: number
}

type Attempt<R> = { outcome: 'ok'; reply: R } | { outcome: 'refused'; failure: Failure } | { outcome: 'unknown' }

/** Generates numbers from 0 to 1 from a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Makes one visit: fills the cart, orders, and pays or leaves. Never throws for an answer of the shop. Each call goes to one
 * of the nodes at `urls`.
 */
export async function visit(shopper: Shopper, urls: string | string[], productIds: string[], manners: Manners) {
  const { random, provider = DRILL_PROVIDERS.paypal } = manners
  const chance = (share: number) => random() < share
  const pick = <T>(list: T[]): T => required(list[Math.floor(random() * list.length)], 'an entry of list')
  const { seen } = shopper
  const node = () => (typeof urls === 'string' ? urls : pick(urls))

  async function ask<E extends Endpoint>(endpoint: E, input: Input<E>, key?: string): Promise<Attempt<Reply<E>>> {
    const headers = { cookie: shopper.cookie, ...(key && { 'idempotency-key': key }) }
    try {
      const signal = AbortSignal.timeout(manners.patienceMs)
      return { outcome: 'ok', reply: await send(endpoint, input, { base: node(), headers, signal }) }
    } catch (error) {
      const isRefusal = error instanceof Failure && error.status < 500
      return isRefusal ? { outcome: 'refused', failure: error } : { outcome: 'unknown' }
    }
  }

  async function insist<R>(once: () => Promise<Attempt<R>>): Promise<Attempt<R>> {
    for (let left = manners.tries; ; left--) {
      const asked = await once()
      if (asked.outcome !== 'unknown' || left <= 1) return asked
      await pause(manners.pauseMs)
    }
  }

  const click = async <R>(once: () => Promise<Attempt<R>>): Promise<Attempt<R>[]> =>
    chance(0.3) ? Promise.all(Array.from({ length: 2 + Math.floor(random() * 2) }, once)) : [await insist(once)]

  async function fillCart(): Promise<CartItem[] | null> {
    for (let i = 0; i <= Math.floor(random() * 3); i++) {
      const line = { productId: pick(productIds), quantity: 1 + Math.floor(random() * 2) }
      const asked = await click(async () => {
        const one = await ask(addToCart, line)
        seen.adds.push({ ...line, outcome: one.outcome })
        return one
      })
      if (asked.every(({ outcome }) => outcome === 'unknown')) return null
    }
    const cart = await insist(() => ask(getCart, {}))
    return cart.outcome === 'ok' ? cart.reply : null
  }

  const hear = (order: Order) => {
    if (order.status === 'completed' || order.status === 'refunded') seen.completed.push(order.id)
  }

  /** Chooses in the payment window. The sandbox shares the shop's process, so it may be down too. */
  async function press(door: 'approve' | 'decline', id: string): Promise<boolean> {
    for (let left = manners.tries; left > 0; left--) {
      try {
        const response = await fetch(`${node()}/sandbox/${provider.name}/test/orders/${id}/${door}`, {
          method: 'POST',
          signal: AbortSignal.timeout(manners.patienceMs),
        })
        if (response.status < 500) return response.status === 204
      } catch {
        // the sandbox is down
      }
      await pause(manners.pauseMs)
    }
    return false
  }

  async function buyQuickly(cart: CartItem[], total: string) {
    const items = cart.map(({ productId, quantity, product }) => ({ productId, quantity, price: product.price }))
    const paymentId = `${provider.name}_${crypto.randomUUID()}`
    const asked = await click(() => ask(placeOrder, { items, total, paymentMethod: provider.name, paymentId }))
    for (const one of asked) {
      if (one.outcome !== 'ok') continue
      seen.orders.push({ orderId: one.reply.id, totalCents: toCents(total) })
      hear(one.reply)
    }
  }

  async function chooseCredit(total: string): Promise<string> {
    const asked = chance(0.6) && (await ask(getCredit, {}))
    return asked && asked.outcome === 'ok'
      ? toDecimal(Math.min(toCents(asked.reply.balance), toCents(total) - provider.leastCents))
      : '0.00'
  }

  async function start(total: string) {
    const key = crypto.randomUUID()
    const isNewKeyEach = chance(0.3)
    const way = { method: provider.name, currency: 'USD', intent: 'capture' } as const
    const body = { amount: total, credit: await chooseCredit(total), ...way }
    const asked = await click(() => ask(startPayment, body, isNewKeyEach ? crypto.randomUUID() : key))
    for (const one of asked) {
      if (one.outcome === 'ok') seen.orders.push({ orderId: one.reply.orderId, totalCents: toCents(total) })
    }
    return asked.find((one) => one.outcome === 'ok')?.reply
  }

  async function payInTwoTabs({ id, orderId }: { id: string; orderId: string }, amount: string) {
    const again = { amount, orderId, method: provider.name, currency: 'USD', intent: 'capture' } as const
    await press('approve', id)
    const [captured] = await Promise.all([
      ask(capturePayment, { id }),
      chance(0.5) ? ask(cancelPayment, { id }) : ask(startPayment, again),
      ask(capturePayment, { id }),
    ])
    if (captured.outcome === 'ok') hear(captured.reply.order)
  }

  async function pay(id: string) {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (!(await press(chance(0.05) ? 'decline' : 'approve', id))) return
      // Leaves after pressing Pay; the reconciler must finish.
      if (chance(0.1)) return
      const asked = await click(() => ask(capturePayment, { id }))
      for (const one of asked) if (one.outcome === 'ok') hear(one.reply.order)
      const isDeclined = asked.some((one) => one.outcome === 'ok' && one.reply.status === 'DECLINED')
      if (!isDeclined) return
    }
  }

  const cart = await fillCart()
  if (!cart || cart.length === 0) return
  const total = toDecimal(cart.reduce((cents, { quantity, product }) => cents + quantity * toCents(product.price), 0))
  if (shopper.hasWallet && chance(0.7)) return buyQuickly(cart, total)
  const started = await start(total)
  if (!started) return
  const mood = random()
  if (mood < 0.05) return
  if (mood < 0.12) {
    await ask(cancelPayment, { id: started.id })
    return
  }
  if (manners.tabs !== undefined && chance(manners.tabs)) return payInTwoTabs(started, total)
  await pay(started.id)
}
