import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processWebhook } from '../src/aftersale/events.server.ts'
import { readBatch, sendBatch } from '../src/payments/payouts/send.server.ts'
import { runRefunds } from '../test/order.ts'
import { listCases } from '../src/moderation/moderation.contract.ts'
import { listDisputes } from '../src/aftersale/disputes/dispute.contract.ts'
import { listConversations } from '../src/support/inbox/inbox.contract.ts'
import { findViolations } from '../drill/invariants.ts'
import { send } from '../src/kit/call.ts'
import { getPayouts, listQueuedPayouts } from '../src/payments/payouts/payouts.contract.ts'
import { getBalance } from '../src/selling/balance/balance.contract.ts'
import { getSales, listSales } from '../src/selling/sales/sales.contract.ts'
import { wrongBooks } from '../test/credit.ts'
import { until } from '../test/sandbox.ts'
import { openShopForTests, type Person } from '../test/shop.ts'
import { addSales, readSales } from './sales.ts'
import { seedDemo } from './seed.ts'

const open = openShopForTests()
const people = { seller: 'seller@primo.example', admin: 'admin@primo.example' }
const terms = { fee: { basisPoints: 500, fixedCents: 0 }, payoutHoldDays: 7 }

async function runJobs() {
  const { shop } = open
  const { checkout, database } = shop
  await runRefunds(shop)
  const eventsOf = async (text: string) => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT event_id AS id FROM webhook_events WHERE body LIKE '%' || $1 || '%' ORDER BY received_at`,
      [text],
    )
    return rows
  }
  await until(async () => (await eventsOf('CUSTOMER.DISPUTE.CREATED')).length > 0)
  for (const { id } of await eventsOf('CUSTOMER.DISPUTE.CREATED')) await processWebhook(checkout, 'paypal', id)
  const { id } = await database.db.selectFrom('payoutBatches').select('id').executeTakeFirstOrThrow()
  await sendBatch(checkout.payouts, id)
  await readBatch(checkout.payouts, id)
}

test(
  'adds sales, a refund, a payout, a dispute, a report and a chat once, with a correct ledger',
  { timeout: 240_000 },
  async () => {
    const { shop } = open
    await seedDemo({ ...shop, accountsFile: join(shop.dataDir, 'demo-accounts.json') })
    expect(await addSales({ ...shop, ...terms }, people)).toBe(true)
    expect(await addSales({ ...shop, ...terms }, people)).toBe(false)

    const as = async (email: string): Promise<Person['call']> => {
      const cookie = await shop.identity.createSession(email)
      return (endpoint, input) => send(endpoint, input, { base: shop.url, headers: { cookie }, checkReply: true })
    }
    const [seller, admin] = [await as(people.seller), await as(people.admin)]
    await runJobs()
    const many = readSales().sales.reduce((sum, { lines }) => sum + lines.length, 0)
    const states = (await seller(listSales, { limit: 100 })).map(({ state }) => state)
    expect(await seller(getPayouts, {})).toMatchObject({ payouts: [{ amount: readSales().payout, state: 'sent' }] })
    expect(states).toHaveLength(many)
    expect(states.filter((state) => state !== 'paid').toSorted()).toEqual(['disputed', 'refunded'])
    const { now, days } = await seller(getSales, { days: 90 })
    expect(now).toMatchObject({ orders: readSales().sales.length, sales: many, refunded: '12.00' })
    expect(now.views).toBeGreaterThan(now.orders)
    expect(days.length).toBeGreaterThan(10)
    expect(Number((await seller(getBalance, {})).available)).toBeGreaterThan(0)
    expect(await admin(listDisputes, {})).toMatchObject([{ amount: '10.00' }])
    expect(await admin(listCases, { state: 'waiting' })).toMatchObject([{ title: 'Learning to Draw Trees' }])
    expect((await admin(listConversations, {})).conversations).toMatchObject([
      { isForPerson: true, waitingSince: expect.any(String) as string },
    ])
    expect(await admin(listQueuedPayouts, { queue: 'ended' })).toMatchObject([
      { about: { isFirst: true, sales: many, refunded: '12.00', disputed: 1 } },
    ])
    expect(await wrongBooks(shop)).toEqual([])
    expect(await findViolations(shop.databaseUrl, null)).toEqual([])
  },
)
