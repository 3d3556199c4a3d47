import { addToCart, type CartItem, getCart } from '../src/cart/cart.contract.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from '../src/checkout/checkout.contract.ts'
import { toCents, toDecimal } from '../src/kit/money.ts'
import type { Order } from '../src/purchases/orders.contract.ts'
import { getCredit } from '../src/payments/credit.contract.ts'
import type { Observed } from './seen.ts'
import { type Manners, openShopperCalls, type ShopperCalls } from './shopperCalls.ts'
import type { Shopper } from './world.ts'

// Shoppers who double-click, retry, change their mind and leave. They record what they saw.

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
 * Makes one visit: fills the cart, orders, and pays or leaves. Never throws when the shop answers with an error. Each
 * call goes to one of the nodes at `urls`.
 */
export async function visit(shopper: Shopper, urls: string | string[], productIds: string[], manners: Manners) {
  const calls = openShopperCalls(shopper, urls, manners)
  const { random, chance, ask } = calls
  const { seen } = shopper
  const cart = await fillCart(calls, seen, productIds)
  if (!cart || cart.length === 0) return
  const total = toDecimal(cart.reduce((cents, { quantity, product }) => cents + quantity * toCents(product.price), 0))
  if (shopper.hasWallet && chance(0.7)) return buyQuickly(calls, seen, cart, total)
  const started = await start(calls, seen, total)
  if (!started) return
  const mood = random()
  if (mood < 0.05) return
  if (mood < 0.12) {
    await ask(cancelPayment, { id: started.id })
    return
  }
  if (manners.tabs !== undefined && chance(manners.tabs)) return payInTwoTabs(calls, seen, started, total)
  await pay(calls, seen, started.id)
}

async function fillCart(calls: ShopperCalls, seen: Observed, productIds: string[]): Promise<CartItem[] | null> {
  const { random, pick, ask, insist, click } = calls
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

function recordOrder(seen: Observed, order: Order) {
  if (order.status === 'completed' || order.status === 'refunded') seen.completed.push(order.id)
}

async function buyQuickly({ provider, ask, click }: ShopperCalls, seen: Observed, cart: CartItem[], total: string) {
  const items = cart.map(({ productId, quantity, product }) => ({ productId, quantity, price: product.price }))
  const paymentId = `${provider.name}_${crypto.randomUUID()}`
  const asked = await click(() => ask(placeOrder, { items, total, paymentMethod: provider.name, paymentId }))
  for (const one of asked) {
    if (one.outcome !== 'ok') continue
    seen.orders.push({ orderId: one.reply.id, totalCents: toCents(total) })
    recordOrder(seen, one.reply)
  }
}

async function chooseCredit({ provider, chance, ask }: ShopperCalls, total: string): Promise<string> {
  const asked = chance(0.6) && (await ask(getCredit, {}))
  return asked && asked.outcome === 'ok'
    ? toDecimal(Math.min(toCents(asked.reply.balance), toCents(total) - provider.leastCents))
    : '0.00'
}

async function start(calls: ShopperCalls, seen: Observed, total: string) {
  const { provider, chance, ask, click } = calls
  const key = crypto.randomUUID()
  const isNewKeyEach = chance(0.3)
  const way = { method: provider.name, currency: 'USD', intent: 'capture' } as const
  const body = { amount: total, credit: await chooseCredit(calls, total), ...way }
  const asked = await click(() => ask(startPayment, body, isNewKeyEach ? crypto.randomUUID() : key))
  for (const one of asked) {
    if (one.outcome === 'ok') seen.orders.push({ orderId: one.reply.orderId, totalCents: toCents(total) })
  }
  return asked.find((one) => one.outcome === 'ok')?.reply
}

type Started = { id: string; orderId: string }

async function payInTwoTabs(calls: ShopperCalls, seen: Observed, { id, orderId }: Started, amount: string) {
  const { provider, chance, ask, press } = calls
  const again = { amount, orderId, method: provider.name, currency: 'USD', intent: 'capture' } as const
  await press('approve', id)
  const [captured] = await Promise.all([
    ask(capturePayment, { id }),
    chance(0.5) ? ask(cancelPayment, { id }) : ask(startPayment, again),
    ask(capturePayment, { id }),
  ])
  if (captured.outcome === 'ok') recordOrder(seen, captured.reply.order)
}

async function pay({ chance, ask, click, press }: ShopperCalls, seen: Observed, id: string) {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (!(await press(chance(0.05) ? 'decline' : 'approve', id))) return
    // Leaves after pressing Pay; the reconciler must finish.
    if (chance(0.1)) return
    const asked = await click(() => ask(capturePayment, { id }))
    for (const one of asked) if (one.outcome === 'ok') recordOrder(seen, one.reply.order)
    const isDeclined = asked.some((one) => one.outcome === 'ok' && one.reply.status === 'DECLINED')
    if (!isDeclined) return
  }
}
