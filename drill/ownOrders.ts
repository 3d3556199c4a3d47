import { setTimeout as pause } from 'node:timers/promises'
import type { Shopper } from './world.ts'

// A buyer lists their orders directly after each order, with the cookie that the shop set then, as a browser does.
// A standby that has not replayed the order must not answer.

type OwnOrdersInput = { base: string; buyer: Shopper; product: { id: string; price: string } }

export async function lookAtOwnOrders({ base, buyer, product }: OwnOrdersInput, forMs: number) {
  const ask = (method: string, path: string, { body, seen = '' }: { body?: object; seen?: string } = {}) =>
    fetch(base + path, {
      method,
      headers: {
        cookie: [buyer.cookie, seen].filter(Boolean).join('; '),
        'idempotency-key': crypto.randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const counts = { lists: 0, missed: 0 }
  const items = [{ productId: product.id, quantity: 1 }]
  const body = { amount: product.price, items, method: 'paypal', currency: 'USD', intent: 'capture' }
  for (const end = performance.now() + forMs; performance.now() < end; await pause(200)) {
    const ordered = await ask('POST', '/order', { body })
    if (!ordered.ok) {
      await ordered.arrayBuffer()
      continue
    }
    const { id, orderId } = (await ordered.json()) as { id: string; orderId: string }
    const seen = ordered.headers.getSetCookie().find((one) => one.includes('primo-seen='))
    const list = await ask('GET', '/api/orders', { seen: seen?.split(';')[0] ?? '' })
    if (list.ok) counts.lists++
    if (!(await list.text()).includes(orderId) && list.ok) counts.missed++
    await (await ask('POST', `/order/${id}/cancel`, { body: {} })).arrayBuffer()
  }
  return counts
}
