import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { age, fillCart, tryToBuy } from '../../test/riskShop.ts'
import { openShopForTests } from '../../test/shop.ts'
import { analyzeFraud } from '../risk/hints.contract.ts'
import { startPayment } from './checkout.contract.ts'

// Every fact that risk collects, next to similar data that must not count.

const open = openShopForTests({ TRUST_PROXY: '1', GEO_HEADER: 'X-Country' })

const cards = (price: string) =>
  addProduct(open.shop, {
    price,
    categoryId: 'gift-cards',
    codes: Array.from({ length: 40 }, () => `CARD-${crypto.randomUUID()}`),
  })
const query = (text: string, values: unknown[]) => open.shop.database.pool.query(text, values)
const HOME = '91.12.7'

test('collects the correct facts about a purchase', async () => {
  const { shop } = open
  const [card, other, book] = [await cards('20.00'), await cards('5.00'), await addProduct(shop, { price: '10.00' })]
  const buyer = await shop.join()
  await query(`UPDATE users SET email = $2, created_at = now() - interval '30 hours' WHERE id = $1`, [
    buyer.id,
    `${crypto.randomUUID()}@sub.mailinator.com`,
  ])
  const at = (n: number) => ({ ip: `${HOME}.${n}`, country: 'US' })
  const bought = async (product: typeof card, quantity: number, agoHours: number) => {
    const { orderId, ending } = await tryToBuy(shop, buyer, product, { ...at(1), quantity })
    expect(ending).toBe('delivered')
    const ago = `now() - ${agoHours} * interval '1 hour'`
    await query(`UPDATE orders SET created_at = ${ago}, completed_at = ${ago} WHERE id = $1`, [orderId])
  }
  await bought(card, 7, 25)
  await bought(book, 1, 24 * 59)
  await bought(book, 1, 24 * 61)
  // a free order does not count as a purchase
  await query(
    `INSERT INTO orders (user_id, checkout_key, request_hash, source, status, total_cents, expires_at, created_at, completed_at)
    SELECT $1, 'free', 'h', 'product', 'completed', 0, now(), long_ago, long_ago FROM (SELECT now() - interval '70 days' AS long_ago) o`,
    [buyer.id],
  )
  await bought(card, 2, 2)
  await bought(other, 1, 0)
  await bought(book, 1, 0)

  // two declines count as tries, but only one has a known payer; tries from eight days ago do not count
  for (const payer of [{ payer: 'CARDA' }, undefined])
    await tryToBuy(shop, buyer, other, { ...at(1), isDeclined: true, ...(payer && { payer }) })
  const { rows } = await query('SELECT id, payment_id FROM risk_declines WHERE user_id = $1 ORDER BY created_at', [
    buyer.id,
  ])
  const [first, second] = rows as { id: string; payment_id: string }[]
  await query(`UPDATE risk_declines SET created_at = now() - interval '11 minutes' WHERE id = $1`, [second!.id])
  await query(
    `INSERT INTO risk_declines (payment_id, user_id, instrument, created_at)
     SELECT $1, $2, 'OLD', now() - n * interval '1 day' FROM unnest(ARRAY[2, 8]) n`,
    [first!.payment_id, buyer.id],
  )
  // one of two unpaid orders is older than a day
  await query(
    `INSERT INTO orders (user_id, checkout_key, request_hash, source, status, total_cents, expires_at, created_at)
     SELECT $1, 'k' || n, 'h', 'product', 'failed', 100, now(), now() - n * interval '20 hours' FROM generate_series(1, 2) n`,
    [buyer.id],
  )
  // same network: two new accounts and an old one paid, one only looked; three of them want the same product
  for (const [n, days] of [0, 0, 30].entries()) {
    const neighbour = await shop.join()
    await age(shop, neighbour, days)
    expect((await tryToBuy(shop, neighbour, card, at(10 + n))).ending).toBe('delivered')
  }
  const looking = await shop.join()
  await fillCart(looking, card.id, 1)
  const headers = { 'x-forwarded-for': `${HOME}.20` }
  await looking.call(startPayment, { amount: '20.00', currency: 'USD', intent: 'capture' }, { headers })
  // another network
  expect((await tryToBuy(shop, await shop.join(), other, { ip: '91.12.8.1' })).ending).toBe('delivered')

  const hint = (severity: 'high' | 'medium' | 'critical', id = crypto.randomUUID()) =>
    buyer.call(analyzeFraud, {
      event: { id, type: 'bot_detected', severity, description: '', timestamp: 1, blocked: false, userAgent: '' },
      sessionContext: { userAgent: '', timestamp: 1, url: '/', screenResolution: '1x1', timezone: 'UTC' },
    })
  const old = crypto.randomUUID()
  for (const sent of [hint('high'), hint('medium'), hint('critical', old)]) await sent
  await query(`UPDATE risk_hints SET received_at = now() - interval '31 minutes' WHERE event_id = $1`, [old])

  const payer = { payer: 'CARDB', country: 'NG', unverified: '1' } as const
  const { orderId } = await tryToBuy(shop, buyer, card, { ...at(1), quantity: 3, payer })
  const decisions = await shop.database.db
    .selectFrom('riskDecisions')
    .select(['stage', 'facts'])
    .where('orderId', '=', orderId!)
    .orderBy('createdAt')
    .execute()
  const facts = {
    dayCents: 3 * 2000 + 2 * 2000 + 500 + 1000,
    dayCashCents: 3 * 2000 + 2 * 2000 + 500,
    copies: 5,
    accountAgeHours: 30,
    ordersHour: 3,
    unpaidDay: 1,
    declinesTenMinutes: 1,
    declinesDay: 2,
    instrumentsWeek: 2,
    networkAccounts: 2,
    instrumentAccounts: 0,
    rush: 3,
    isMailDisposable: true,
    lostDisputes: 0,
    visitorCountry: 'US',
    payerCountry: null,
    isPayerVerified: null,
    hints: 40,
    settledOld: 1,
    settledOldCents: 1000,
    isConfirmed: false,
  }
  // the payer is unknown until the payment
  expect(decisions).toEqual([
    { stage: 'start', facts },
    { stage: 'paid', facts: { ...facts, payerCountry: 'NG', isPayerVerified: false } },
  ])
})
