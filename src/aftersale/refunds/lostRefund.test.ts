import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { refundOrder, runRefund } from './refund.server.ts'

// The response to a refund is lost for longer than the provider stores idempotency keys.

const open = openShopForTests({ BONUS_PERCENT: '0' })

/** Requests $3.00 of $10.00. Fault 'lost' drops the response, 'error' the request. */
async function asked(fault: 'lost' | 'error', { before = 0 } = {}) {
  const { checkout, database } = open.shop
  const { pool } = database
  const buyer = await open.shop.join()
  const { id: orderId } = await buy(open.shop, buyer, await addProduct(open.shop))
  const ask = async (cents?: number) => (await refundOrder(checkout, orderId, 'a page is missing', cents)).id
  if (before > 0) await runRefund(checkout, await ask(before))
  const id = await ask(300)
  await provider(open.shop).setFaults({ rate: 1, kinds: [fault, 'webhook_lost'] })
  await expect(runRefund(checkout, id)).rejects.toThrow()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const { rows } = await pool.query<{ captureId: string; payment: string; at: string }>(
    `SELECT id AS payment, provider_capture_id AS "captureId", provider_order_id AS at FROM payments WHERE order_id = $1`,
    [orderId],
  )
  const { captureId, payment, at } = rows[0]!
  const run = (refund = id) => runRefund(checkout, refund)
  /** Ages the refund until the provider deleted its idempotency key. */
  const age = async (minutes: number) => {
    await pool.query(`UPDATE refunds SET created_at = now() - make_interval(mins => $2) WHERE id = $1`, [id, minutes])
    await pool.query(`DELETE FROM sandbox.replays WHERE request_id = 'rf-' || $1`, [id])
  }
  const hideOrder = () => pool.query(`DELETE FROM sandbox.records WHERE kind = 'order' AND id = $1`, [at])
  const hideRefunds = () =>
    pool.query(`UPDATE sandbox.records SET order_id = NULL WHERE kind = 'refund' AND order_id = $1`, [at])
  const hideEvents = () =>
    pool.query(
      `UPDATE sandbox.events SET event_type = 'HIDDEN' WHERE event_type = 'PAYMENT.CAPTURE.REFUNDED' AND body LIKE '%' || $1 || '%'`,
      [captureId],
    )
  const givenBack = async () =>
    (await provider(open.shop).captures()).find((capture) => capture.id === captureId)!.refunded
  const booked = async () => {
    const text = `SELECT amount_cents::int AS cents, status, refusal FROM refunds WHERE payment_id = $1 ORDER BY created_at DESC, id`
    return (await pool.query(text, [payment])).rows
  }
  const madeIds = async () => {
    const text = `SELECT id FROM sandbox.records WHERE kind = 'refund' AND body::jsonb->>'captureId' = $1 ORDER BY body::jsonb->>'totalRefundedCents'`
    return (await pool.query<{ id: string }>(text, [captureId])).rows.map((row) => row.id)
  }
  const hear = async () => {
    for (const made of await madeIds()) expect(await handleRefund(open.shop, captureId, made)).toBeNull()
  }
  const order = () => buyer.call(getOrder, { id: orderId })
  return { id, captureId, ask, run, age, hideOrder, hideRefunds, hideEvents, givenBack, booked, hear, order }
}

const DONE = { cents: 300, status: 'completed', refusal: null }
const ON_ITS_WAY = { cents: 300, status: 'requested', refusal: null }
const NEVER_MADE = { cents: 300, status: 'failed', refusal: 'NEVER_MADE' }
const HOURS = 60

test.each(['its order', 'the record of events'])(
  'makes a refund once when its response is lost for hours: %s shows it',
  async (where) => {
    const { run, age, hideOrder, givenBack, booked, ask, hear, order } = await asked('lost')
    await age(7 * HOURS)
    if (where !== 'its order') await hideOrder()
    await run()
    expect(await givenBack()).toBe('3.00')
    expect(await booked()).toEqual([DONE])
    await hear()
    expect(await booked()).toEqual([DONE])
    await run(await ask())
    expect([await givenBack(), (await order()).status]).toEqual(['10.00', 'refunded'])
    expect(await wrongBooks(open.shop)).toEqual([])
  },
)

test('repeats the request while the provider stores its idempotency key', async () => {
  const { run, givenBack, booked } = await asked('error')
  await run()
  expect(await givenBack()).toBe('3.00')
  expect(await booked()).toEqual([DONE])
})

test.each([
  ['nothing has gone back', 0, '3.00'],
  ['the order shows all that has', 200, '5.00'],
])('sends a refund late that the provider never received: %s', async (_, before, sum) => {
  const { run, age, givenBack, booked, hear, ask, order } = await asked('error', { before })
  await age(7 * HOURS)
  // its response may be lost again: the next poll finds it
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  await expect(run()).rejects.toThrow()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  for (let n = 0; n < 2; n++) await run()
  await hear()
  expect(await booked()).toContainEqual(DONE)
  expect(await givenBack()).toBe(sum)
  await run(await ask())
  expect([await givenBack(), (await order()).status]).toEqual(['10.00', 'refunded'])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('does not send a refund late when the capture shows more refunded money than the order', async () => {
  const { run, age, givenBack, booked, hideRefunds } = await asked('error', { before: 200 })
  await age(7 * HOURS)
  await hideRefunds()
  await expect(run()).rejects.toThrow('cannot tell')
  expect(await booked()).toContainEqual(ON_ITS_WAY)
  expect(await givenBack()).toBe('2.00')
})

test('fails a refund only after the event log is complete', async () => {
  const { run, age, booked, givenBack } = await asked('error')
  await age(5 * HOURS + 1)
  await expect(run()).rejects.toThrow('too soon')
  expect(await booked()).toEqual([ON_ITS_WAY])
  expect(await givenBack()).toBe('0.00')
})

test('leaves a refund open while the provider does not report its result', async () => {
  const { run, age, hideOrder, hideEvents, booked, givenBack, hear } = await asked('lost')
  await age(7 * HOURS)
  await hideOrder()
  await hideEvents()
  for (let n = 0; n < 2; n++) await expect(run()).rejects.toThrow('cannot tell')
  expect(await booked()).toEqual([ON_ITS_WAY])
  expect(await givenBack()).toBe('3.00')
  await hear()
  expect(await booked()).toEqual([DONE])
})

test('books a failed refund when an event reports it as made', async () => {
  const { run, age, hideOrder, hideEvents, booked, hear, captureId } = await asked('lost')
  await age(7 * HOURS)
  await hideOrder()
  await hideEvents()
  const hide = (from: string, to: string) =>
    open.shop.database.pool.query(
      `UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{status}', to_jsonb($3::text)) WHERE kind = 'capture' AND id = $1 AND body::jsonb->>'status' = $2`,
      [captureId, from, to],
    )
  await hide('PARTIALLY_REFUNDED', 'COMPLETED')
  await run()
  expect(await booked()).toEqual([NEVER_MADE])
  await hide('COMPLETED', 'PARTIALLY_REFUNDED')
  await hear()
  expect(await booked()).toEqual([DONE])
})

test('books two refunds when the provider made two', async () => {
  const { id, captureId, run, age, givenBack, booked, ask, hear, order } = await asked('lost')
  await age(7 * HOURS)
  await refundAtDashboard(open.shop, captureId, 300, id)
  expect(await givenBack()).toBe('6.00')
  await run()
  for (let n = 0; n < 2; n++) await hear()
  expect(await booked()).toEqual([DONE, DONE])
  const rest = await ask()
  await run(rest)
  expect((await booked()).map(({ cents, status }) => `${cents} ${status}`).toSorted()).toEqual([
    '300 completed',
    '300 completed',
    '400 completed',
  ])
  expect([await givenBack(), (await order()).status]).toEqual(['10.00', 'refunded'])
  expect(await wrongBooks(open.shop)).toEqual([])
})
