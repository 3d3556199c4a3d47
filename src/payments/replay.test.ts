import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { wrongBooks } from '../../test/credit.ts'
import { captureOf } from '../../test/dispute.ts'
import { addProduct } from '../../test/goods.ts'
import { refundAtDashboard } from '../../test/payment.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests } from '../../test/shop.ts'
import { processWebhook } from '../aftersale/events.server.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { replayMissed } from './replay.server.ts'

// Webhooks are lost. The provider's event log contains the missed events.

const open = openShopForTests({ BONUS_PERCENT: '0' })

const replay = () => replayMissed(open.shop.database, open.shop.checkout.providers.list)

async function workAll() {
  const rows = await open.shop.database.db
    .selectFrom('webhookEvents')
    .select(['provider', 'eventId'])
    .where('processedAt', 'is', null)
    .execute()
  for (const { provider: name, eventId } of rows) await processWebhook(open.shop.checkout, name, eventId)
  return rows.length
}

test('records a refund and a dispute once although their events never arrived', async () => {
  const { pool } = open.shop.database
  await provider(open.shop).setFaults({ rate: 1, kinds: ['webhook_lost'] })
  const [buyer, other] = [await open.shop.join(), await open.shop.join()]
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  const disputed = await buy(open.shop, other, await addProduct(open.shop))
  const { captureId } = await captureOf(open.shop, order.id)
  await refundAtDashboard(open.shop, captureId, null)
  await provider(open.shop).dispute((await captureOf(open.shop, disputed.id)).captureId)
  expect(await workAll()).toBe(0)
  await replay()
  expect(await workAll()).toBeGreaterThanOrEqual(2)
  expect((await buyer.call(getOrder, { id: order.id })).status).toBe('refunded')
  expect((await other.call(getOrder, { id: disputed.id })).dispute).toMatchObject({ state: 'open' })
  // a second poll and concurrent polls of two nodes find nothing new
  await Promise.all([replay(), replay()])
  expect(await workAll()).toBe(0)
  const { rows } = await pool.query<{ most: number }>('SELECT max(times_received)::int AS most FROM webhook_events')
  expect(rows).toEqual([{ most: 1 }])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('continues from the last poll with a margin for the provider’s delay', async () => {
  const { db, pool } = open.shop.database
  const asked: Date[] = []
  const away = {
    ...open.shop.checkout.providers.main,
    missed: async (since: Date) => {
      asked.push(since)
      return { kind: 'unknown' as const, isAway: true, why: 'away' }
    },
  }
  await pool.query(`UPDATE event_replays SET read_until = now() - interval '2 days'`)
  const { readUntil } = await db.selectFrom('eventReplays').select('readUntil').executeTakeFirstOrThrow()
  await replayMissed(open.shop.database, [away])
  expect(asked[0]!.getTime()).toBe(readUntil.getTime() - 20 * 60_000)
  // a poll without a reply leaves the position unchanged
  expect(await db.selectFrom('eventReplays').select('readUntil').executeTakeFirstOrThrow()).toEqual({ readUntil })
  await replay()
  const after = await db.selectFrom('eventReplays').select('readUntil').executeTakeFirstOrThrow()
  expect(after.readUntil.getTime()).toBeGreaterThan(readUntil.getTime())
})
