import { expect, test } from 'vitest'
import { addProduct } from '../test/goods.ts'
import { provider } from '../test/provider.ts'
import { age, type Ending, settleHeld, tryToBuy } from '../test/riskShop.ts'
import { openShopForTests, type Person } from '../test/shop.ts'
import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { confirmOrder } from '../src/risk/hold.contract.ts'
import { drawHistory } from './honest.ts'
import { insertHistories, buyToday, openShelf, type Counts } from './honestShop.ts'
import { createRandom } from './shoppers.ts'

// Figures of docs/measured.md: what fraudsters receive until the shop stops them, and how many honest buyers it stops.

const open = openShopForTests({ TRUST_PROXY: '1' })

const SEED = 20_261_121
const HISTORIES = 1000

test('holds and refuses none of 1,000 generated honest histories', async () => {
  const shelf = await openShelf(open.shop)
  const result: Counts = { purchases: 0, delivered: 0, confirmed: 0, stopped: [] }
  const random = createRandom(SEED)
  const histories = Array.from({ length: HISTORIES }, (_, n) => drawHistory(random, n))
  const userIds = await insertHistories(open.shop, shelf, histories)
  let next = 0
  const live = async () => {
    for (let n = next++; n < HISTORIES; n = next++)
      await buyToday(open.shop, shelf, { userId: userIds[n]!, n, history: histories[n]! }, result)
  }
  await Promise.all([live(), live(), live(), live()])
  expect(result.stopped).toEqual([])
  expect(result.delivered).toBe(result.purchases)
  expect(result.purchases).toBeGreaterThan(1200)
  // the figure in docs/measured.md is 2
  expect(result.confirmed).toBeLessThanOrEqual(5)
})

const cards = (price: string, count: number) =>
  addProduct(open.shop, {
    price,
    categoryId: 'gift-cards',
    codes: Array.from({ length: count }, () => `CARD-${crypto.randomUUID()}`),
  })

/** Repeats an attempt. `after` is the number of attempts up to the last delivery. */
async function persist(times: number, attempt: (n: number) => Promise<{ ending: Ending }>) {
  const endings: Ending[] = []
  for (let n = 0; n < times; n++) endings.push((await attempt(n)).ending)
  return {
    delivered: endings.filter((ending) => ending === 'delivered').length,
    last: endings.at(-1),
    after: endings.lastIndexOf('delivered') + 1,
  }
}
const STOPPED = /^(held|refused)$/

test('refuses a new account that tests stolen cards after four cards and delivers nothing', async () => {
  const card = await cards('5.00', 30)
  const thief = await open.shop.join()
  const result = await persist(12, (n) =>
    tryToBuy(open.shop, thief, card, { isDeclined: n < 8, payer: { payer: `STOLEN${n}` } }),
  )
  expect(result).toEqual({ delivered: 0, last: 'refused', after: 0 })
  const { rows } = await open.shop.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM risk_declines WHERE user_id = $1',
    [thief.id],
  )
  expect(rows[0]!.n).toBe(4)
})

test('delivers at most 20 of 200 codes that a new account tries to hoard', async () => {
  const card = await cards('10.00', 200)
  const hoarder = await open.shop.join()
  const result = await persist(10, () => tryToBuy(open.shop, hoarder, card, { quantity: 20 }))
  expect(result.delivered).toBeLessThanOrEqual(1)
  expect(result.last).not.toBe('delivered')
  const all = await open.shop.join()
  expect((await tryToBuy(open.shop, all, card, { quantity: 100 })).ending).toMatch(STOPPED)
})

/** Buys a product and confirms the purchase if the shop requires it. */
async function confirmAndBuy(buyer: Person, product: { id: string; price: string }, ip: string, payer: string) {
  const { ending, orderId } = await tryToBuy(open.shop, buyer, product, { ip, payer: { payer } })
  if (ending !== 'confirm_needed' && ending !== 'held') return { ending }
  const { isReleased } = await buyer.call(confirmOrder, { id: orderId! })
  if (ending === 'held') {
    if (isReleased) await settleHeld(open.shop, orderId!)
    return { ending: isReleased ? ('delivered' as const) : ending }
  }
  const headers = { 'x-forwarded-for': ip }
  const terms = { amount: product.price, currency: 'USD', intent: 'capture', orderId: orderId! } as const
  const { id } = await buyer.call(startPayment, terms, { headers })
  await provider(open.shop).approve(id, { payer })
  const { status } = await buyer.call(capturePayment, { id }, { headers })
  return { ending: status === 'COMPLETED' ? ('delivered' as const) : ('held' as const) }
}

test('requires a confirmation after five purchases at one address and holds after eight', async () => {
  const card = await cards('100.00', 20)
  const accounts: Person[] = []
  for (let n = 0; n < 22; n++) accounts.push(await open.shop.join())
  const result = await persist(11, (n) =>
    tryToBuy(open.shop, accounts[n]!, card, { ip: `45.83.91.${n + 1}`, payer: { payer: `MANY${n}` } }),
  )
  expect(result).toEqual({ delivered: 5, last: 'confirm_needed', after: 5 })
  // Different cards, because many purchases of one product would trigger another rule.
  const other = await cards('100.00', 20)
  const patient = await persist(11, (n) => confirmAndBuy(accounts[11 + n]!, other, `45.83.92.${n + 1}`, `PATIENT${n}`))
  expect(patient).toEqual({ delivered: 8, last: 'held', after: 8 })
})

test('stops a sudden purchase of $2,000 in cards, at once or in parts, by a new or a dormant account', async () => {
  const whole = await cards('2000.00', 3)
  const part = await cards('200.00', 30)
  const fresh = await open.shop.join()
  expect((await tryToBuy(open.shop, fresh, whole)).ending).toMatch(STOPPED)
  const sleeper = await open.shop.join()
  await age(open.shop, sleeper, 400)
  expect((await tryToBuy(open.shop, sleeper, whole)).ending).toMatch(STOPPED)
  const patient = await open.shop.join()
  const result = await persist(10, () => tryToBuy(open.shop, patient, part))
  expect(result.delivered).toBeLessThanOrEqual(3)
  expect(result.last).not.toBe('delivered')
})
