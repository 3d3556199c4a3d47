import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { send } from '../src/kit/call.ts'
import type { Endpoint, Input, Reply } from '../src/kit/contract.ts'
import { Failure } from '../src/kit/failure.ts'
import { toDecimal } from '../src/kit/money.ts'
import { comeToRest, findViolationsAtRest } from './rest.ts'
import { openWorld, type Shopper } from './world.ts'
import { required } from '../src/kit/values/required.ts'

const PRICE_CENTS = 2500

/**
 * In each round, buyers on two nodes have approved payments for a product with one code, and press Pay at the same
 * moment. Returns the errors.
 */
export async function runLastCode(databaseUrl: string, { rounds, buyers }: { rounds: number; buyers: number }) {
  const world = await openWorld(databaseUrl)
  const wrong: string[] = []
  try {
    const shoppers = await world.invite(buyers)
    await world.start()
    const second = await world.startBeside()
    const urlOf = (at: number) => (at % 2 === 0 ? world.url : second.url)
    for (let round = 1; round <= rounds; round++) {
      const productId = await world.offer({ priceCents: PRICE_CENTS, codes: 1 })
      const before = (await world.captures()).length
      const started = await Promise.all(shoppers.map((shopper, i) => approve(shopper, urlOf(i), productId)))
      const answers = await Promise.all(
        started.map((id, i) => pay(required(shoppers[i], 'an entry of shoppers'), urlOf(i), id)),
      )
      const sold = answers.filter((answer) => answer === 'COMPLETED').length
      const soldOut = answers.filter((answer) => answer === 'out_of_stock').length
      const captured = (await world.captures()).length - before
      if (sold !== 1 || soldOut !== buyers - 1 || captured !== 1)
        wrong.push(`round ${round}: ${captured} captures, ${answers.toSorted().join(' ')}`)
    }
    await comeToRest(world)
    wrong.push(...(await findViolationsAtRest(world, shoppers)), ...second.shop.errors())
  } finally {
    await world.close()
  }
  return { wrong }
}

const ask = <E extends Endpoint>({ cookie }: Shopper, base: string, endpoint: E, input: Input<E>): Promise<Reply<E>> =>
  send(endpoint, input, { base, headers: { cookie, 'idempotency-key': crypto.randomUUID() } })

async function approve(shopper: Shopper, url: string, productId: string): Promise<string> {
  const items = [{ productId, quantity: 1 }]
  const { id, orderId } = await ask(shopper, url, startPayment, {
    ...{ amount: toDecimal(PRICE_CENTS), currency: 'USD', intent: 'capture', items },
  })
  shopper.seen.orders.push({ orderId, totalCents: PRICE_CENTS })
  const approved = await fetch(`${url}/sandbox/paypal/test/orders/${id}/approve`, { method: 'POST' })
  if (!approved.ok) throw new Error(`approve: ${approved.status}`)
  return id
}

async function pay(shopper: Shopper, url: string, id: string): Promise<string> {
  try {
    const { status, order } = await ask(shopper, url, capturePayment, { id })
    if (status === 'COMPLETED') shopper.seen.completed.push(order.id)
    return status
  } catch (error) {
    return error instanceof Failure ? (error.code ?? String(error.status)) : String(error)
  }
}
