import { openShop } from '../src/app/shop.server.ts'
import { readProducts } from '../src/catalogue/shelf/list.server.ts'
import { addToCart, getCart } from '../src/cart/cart.contract.ts'
import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { send } from '../src/kit/call.ts'
import { readConfig } from '../src/app/settings.server.ts'
import { toDecimal } from '../src/kit/money.ts'
import { isUuid } from '../src/kit/uuid.ts'
import { record, type Recorded } from './record.ts'
import { firstOf, lastOf, required } from '../src/kit/values/required.ts'

// Records the SQL that the shop sends, in this process, for the bare driver to replay.

export const SECRET = 'a secret that only the bench knows, 32 characters'

export type Member = { id: string; email: string; cookie: string }
export type Recordings = Awaited<ReturnType<typeof recordShop>>

const isProviders = ({ text }: Recorded) => /\bsandbox\.|^(BEGIN|COMMIT)$/.test(text)

export async function recordShop(
  databaseUrl: string,
  dataDir: string,
  { member, productId, searches }: { member: Member; productId: string; searches: string[] },
) {
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '0',
    // same as in the measured shop: in a reused store, buyers have many orders within an hour
    RISK_CHECKS: 'watch',
  })
  const shop = await openShop({ config, databaseUrl, secret: SECRET, hasJobs: false })
  const { url } = shop.server
  try {
    const options = { base: url, headers: { cookie: member.cookie } }
    const setFaults = (kinds: string[], rate: number) =>
      fetch(`${url}/sandbox/paypal/test/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ rate, kinds }),
      })
    await setFaults(['webhook_lost'], 1)
    const line = { productId, quantity: 1 }
    const { price_cents: cents } = (
      await shop.database.pool.query('SELECT price_cents FROM products WHERE id = $1', [productId])
    ).rows[0] as { price_cents: number }
    const total = toDecimal(cents)

    async function buy() {
      await send(addToCart, line, options)
      const { id } = await send(startPayment, { amount: total, currency: 'USD', intent: 'capture' }, options)
      await fetch(`${url}/sandbox/paypal/test/orders/${id}/approve`, { method: 'POST' })
      const { order } = await send(capturePayment, { id }, options)
      return { providerOrderId: id, captureId: required(order.paymentId, 'the payment of the order') }
    }
    await buy()
    let bought: Awaited<ReturnType<typeof buy>> | undefined
    const sent = await record(async () => (bought = await buy()))
    const add = await record(() => send(addToCart, line, options))
    const view = await record(() => send(getCart, {}, options))
    const search: Recorded[] = []
    for (const q of searches) search.push(...(await record(() => readProducts(shop.database.pool, { q, limit: 24 }))))
    await setFaults([], 0)
    const checkout = sent.filter((one) => !isProviders(one))
    const made = madeUp(checkout, required(bought, 'the recording of the order'), [member.id, productId])
    return {
      total,
      search,
      addFor: (buyer: string, product: string): Recorded => ({
        ...firstOf(add),
        values: firstOf(add).values.map((value) =>
          value === member.id ? buyer : value === productId ? product : value,
        ),
      }),
      view: lastOf(view),
      checkout,
      providersStatements: sent.length - checkout.length,
      /** Maps the recorded ids of the buyer, the browser and the provider to those of a replay for `buyer`. */
      renamed: (buyer: string): Record<string, string> => ({
        [member.id]: buyer,
        ...Object.fromEntries([...made].map((id) => [id, 'NEW'])),
      }),
    }
  } finally {
    await shop.close()
  }
}

/** Returns ids that no earlier row has. The program or the provider generated them, so a replay needs new ones. */
function madeUp(
  checkout: Recorded[],
  { providerOrderId, captureId }: { providerOrderId: string; captureId: string },
  known: string[],
): Set<string> {
  const seen = new Set<unknown>(known)
  const made = new Set([providerOrderId, captureId])
  for (const { values, rows } of checkout) {
    for (const value of values) if (typeof value === 'string' && isUuid(value) && !seen.has(value)) made.add(value)
    for (const row of rows) for (const value of Object.values(row)) seen.add(value)
  }
  return made
}
