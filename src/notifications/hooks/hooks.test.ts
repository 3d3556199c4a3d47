import { createServer, type IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { captureOf } from '../../../test/dispute.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person, SECRET } from '../../../test/shop.ts'
import { applyTruth } from '../../aftersale/disputes/dispute.server.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { findPayment } from '../../payments/payments.store.server.ts'
import type { DisputeTruth } from '../../payments/disputes/disputes.ts'
import { saveReview } from '../../reviews/reviews.contract.ts'
import {
  addHook,
  changeHook,
  countFailedMessages,
  EVENTS,
  type HookEvent,
  listHookMessages,
  listHooks,
  MAX_COUNTED,
  MAX_ENDPOINTS,
  MAX_RESENT,
  removeHook,
  renewSecret,
  replayFailedMessages,
  replayHookMessage,
  RESEND_DAYS,
  testHook,
} from './hooks.contract.ts'
import { openHooks } from './hooks.server.ts'
import { MAX_ATTEMPTS, pauseAfter, retryAfter } from './retry.rules.ts'

const open = openShopForTests()
const EVERY = Object.keys(EVENTS) as HookEvent[]

type Letter = { headers: IncomingMessage['headers']; body: string }

/** Starts a receiver on this machine. Tests can change `answer`. */
async function openReceiver(answer: { status: number; text: string }) {
  const letters: Letter[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      letters.push({ headers: request.headers, body })
      response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { letters, answer, url: `http://127.0.0.1:${port}/hooks` }
}

const job = (name = 'send_hook') => {
  const { db } = open.shop.database
  const config = { mode: 'test', storeName: 'Primo', keepSentWebhooksDays: 30 } as const
  const { jobs } = openHooks({ config, db, secret: SECRET, publicUrl: 'https://shop.example' })
  return jobs.find((one) => one.name === name)!
}

/** Queues an event for an address as a change of a product does, and returns its id. */
async function queueEvent(hookId: string): Promise<string> {
  const { rows } = await open.shop.database.pool.query<{ id: string }>(
    `SELECT queue_hook($1, 'product.updated', '{}'::jsonb) AS id`,
    [hookId],
  )
  return rows[0]!.id
}

/** Runs the jobs of all waiting messages of a member. */
async function deliver(person: Person) {
  const waiting = (await person.call(listHookMessages, {})).filter(({ state }) => state === 'waiting')
  for (const { id } of waiting.toReversed()) await job().run({ id })
}

async function sellerOf({ id }: TestProduct): Promise<Person> {
  const { sellerId, email } = await open.shop.database.db
    .selectFrom('products')
    .innerJoin('users', 'users.id', 'products.sellerId')
    .select(['sellerId', 'email'])
    .where('products.id', '=', id)
    .executeTakeFirstOrThrow()
  const cookie = await open.shop.identity.createSession(email)
  const call: Person['call'] = (endpoint, input, options = {}) =>
    open.shop.call(endpoint, input, { ...options, headers: { cookie, ...options.headers } })
  return { id: sellerId, email, cookie, call }
}

const jobsFor = async (id: string) => {
  const { rows } = await open.shop.database.pool.query<{ at: Date }>(
    'SELECT run_at AS at FROM graphile_worker.jobs WHERE key = $1',
    [`hook:${id}`],
  )
  return rows
}

test('queues each event in the transaction of the change, for the seller’s own lines and for the shop', async () => {
  const [book, other] = [await addProduct(open.shop, { price: '7.25' }), await addProduct(open.shop)]
  const [seller, admin, buyer] = [await sellerOf(book), await open.shop.join({ isAdmin: true }), await open.shop.join()]
  const receiver = await openReceiver({ status: 200, text: 'thanks' })
  const { secret } = await seller.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  await admin.call(addHook, { url: receiver.url, events: ['order.completed', 'review.created'], isForShop: true })
  const order = await buy(open.shop, buyer, book)
  const lineId = order.lines[0]!.id
  await buyer.call(saveReview, { lineId, stars: 4, text: 'Good “bread”.' })
  await open.shop.database.pool.query('UPDATE products SET price_cents = 800 WHERE id = $1', [book.id])
  await open.shop.database.pool.query('UPDATE products SET featured_rank = 7000 WHERE id = $1', [book.id])
  await runRefund(open.shop.checkout, (await refundOrder(open.shop.checkout, order.id, 'asked for')).id)
  await buy(open.shop, buyer, other)

  await deliver(seller)
  const read = (letter: Letter) =>
    new Webhook(secret).verify(letter.body, letter.headers as Record<string, string>) as { type: string; data: object }
  const events = receiver.letters.map(read)
  expect(events.map(({ type }) => type)).toEqual([
    'order.completed',
    'review.created',
    'product.updated',
    'refund.created',
    'order.refunded',
  ])
  expect(events[0]!.data).toEqual({
    ...{ orderId: order.id, currency: 'USD', total: '7.25' },
    lines: [{ lineId, productId: book.id, title: 'A small book', quantity: 1, price: '7.25', discount: '0.00' }],
  })
  expect(events[1]!.data).toMatchObject({ productId: book.id, stars: 4, text: 'Good “bread”.' })
  expect(events[2]!.data).toMatchObject({ productId: book.id, price: '8.00', isListed: true })
  expect(JSON.stringify(events)).not.toContain(buyer.id)
  const all = await admin.call(listHookMessages, {})
  expect(all.map(({ type }) => type)).toEqual(['order.completed', 'review.created', 'order.completed'])
  const log = await seller.call(listHookMessages, {})
  expect(log[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200, answer: 'thanks' }] })

  // a transaction that rolls back queues no event
  const { pool } = open.shop.database
  await pool.query(`BEGIN; UPDATE products SET price_cents = 900 WHERE id = '${book.id}'; ROLLBACK`)
  expect(await seller.call(listHookMessages, {})).toHaveLength(5)
})

test('queues events of refunds, disputes, licences and gifts for the seller and the shop, without the buyer', async () => {
  const { pool } = open.shop.database
  const book = await addProduct(open.shop, { price: '9.00' })
  const [seller, admin, buyer] = [await sellerOf(book), await open.shop.join({ isAdmin: true }), await open.shop.join()]
  const receiver = await openReceiver({ status: 200, text: '' })
  await seller.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  await admin.call(addHook, { url: receiver.url, events: EVERY, isForShop: true })
  const order = await buy(open.shop, buyer, book)
  const lineId = order.lines[0]!.id
  const { id: refundId } = await refundOrder(open.shop.checkout, order.id, 'a part', 250)
  await runRefund(open.shop.checkout, refundId)
  await pool.query(
    `INSERT INTO disputes (payment_id, order_id, user_id, provider, provider_dispute_id, state, amount_cents, reason, opened_at)
     SELECT id, order_id, $2, 'paypal', 'D-1', 'needs_evidence', 400, 'NOT_AS_DESCRIBED', now() FROM payments WHERE order_id = $1`,
    [order.id, buyer.id],
  )
  await pool.query(`UPDATE disputes SET state = 'won', ended_at = now() WHERE order_id = $1`, [order.id])
  await pool.query(
    `INSERT INTO licenses (order_line_id, user_id, product_id, ciphertext, key_hash, prefix, ending, seats, devices_per_seat)
     VALUES ($1, $2, $3, 'c', 'h', 'APP', 'WXYZ', 2, 3)`,
    [lineId, buyer.id, book.id],
  )
  await pool.query(`UPDATE licenses SET revoked_at = now(), revoke_reason = 'shared' WHERE order_line_id = $1`, [
    lineId,
  ])
  await pool.query(`INSERT INTO gifts (order_line_id, quantity, token_hash, to_name) VALUES ($1, 1, 't', 'Bob')`, [
    lineId,
  ])
  await pool.query(`UPDATE gifts SET state = 'claimed', claimed_by = $2, claimed_at = now() WHERE order_line_id = $1`, [
    lineId,
    buyer.id,
  ])
  const eventsOf = async (person: Person) => {
    const all = (await person.call(listHookMessages, {})).map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    )
    return all.toReversed().filter(({ type }) => !/^(order|product)\./.test(type))
  }
  const [own, shop] = [await eventsOf(seller), await eventsOf(admin)]
  const goods = { orderId: order.id, lineId, productId: book.id }
  expect(own.map(({ type, data }) => [type, data])).toEqual([
    ['refund.created', { orderId: order.id, currency: 'USD', amount: '2.50', fee: expect.any(String) as string }],
    ['dispute.opened', expect.objectContaining({ orderId: order.id, stage: 'claim', state: 'needs_evidence' })],
    ['dispute.closed', expect.objectContaining({ orderId: order.id, stage: 'claim', state: 'won' })],
    ['license.created', expect.objectContaining({ ...goods, keyEnding: 'WXYZ', seats: 2 })],
    ['license.revoked', expect.objectContaining(goods)],
    ['gift.created', expect.objectContaining({ ...goods, quantity: 1 })],
    ['gift.claimed', expect.objectContaining(goods)],
  ])
  expect(shop.map(({ type }) => type)).toEqual(own.map(({ type }) => type))
  expect(shop[0]!.data).toEqual({ refundId, orderId: order.id, currency: 'USD', amount: '2.50' })
  const text = JSON.stringify([own, shop])
  for (const secret of [buyer.id, buyer.email, 'Bob']) expect(text).not.toContain(secret)
})

test('queues an event each time a dispute opens or ends, but none for an inquiry of the bank', async () => {
  const book = await addProduct(open.shop, { price: '9.00' })
  const [admin, buyer] = [await open.shop.join({ isAdmin: true }), await open.shop.join()]
  const receiver = await openReceiver({ status: 200, text: '' })
  await admin.call(addHook, { url: receiver.url, events: ['dispute.opened', 'dispute.closed'], isForShop: true })
  const { paymentId } = await captureOf(open.shop, (await buy(open.shop, buyer, book)).id)
  const { checkout, database } = open.shop
  const payment = (await findPayment(database.db, paymentId))!
  const hear = (ref: string, stage: DisputeTruth['stage'], state: DisputeTruth['state']) =>
    applyTruth(checkout, payment, {
      ...{ kind: 'dispute', ref, stage, state, captureRef: payment.providerCaptureId!, amountCents: 400 },
      ...{ currency: 'USD', reason: 'fraudulent', openedAt: new Date(), evidenceDueAt: null },
      ...{ paymentId: null, lostCents: null },
    })
  const events = async () => {
    const bodies = (await admin.call(listHookMessages, {})).map(
      ({ body }) => JSON.parse(body) as { type: string; data: { stage: string; state: string } },
    )
    return bodies.toReversed().map(({ type, data: { stage, state } }) => [type, stage, state])
  }

  await hear('W-1', 'warning', 'needs_evidence')
  await hear('W-1', 'warning', 'won')
  expect(await events()).toEqual([])

  await hear('W-1', 'claim', 'needs_evidence')
  await hear('W-1', 'claim', 'won')
  await hear('W-1', 'claim', 'needs_evidence')
  await hear('W-1', 'claim', 'under_review')
  await hear('W-1', 'claim', 'won')
  await hear('W-2', 'warning', 'needs_evidence')
  await hear('W-2', 'claim', 'lost')
  expect(await events()).toEqual([
    ['dispute.opened', 'claim', 'needs_evidence'],
    ['dispute.closed', 'claim', 'won'],
    ['dispute.opened', 'claim', 'needs_evidence'],
    ['dispute.closed', 'claim', 'won'],
    ['dispute.opened', 'claim', 'lost'],
    ['dispute.closed', 'claim', 'lost'],
  ])
})

test('retries for three days with growing pauses, then disables the address and mails the owner', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 500, text: 'broken' })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  await ada.call(testHook, { id })
  const [{ id: messageId } = { id: '' }] = await ada.call(listHookMessages, {})
  for (let failed = 1; failed < MAX_ATTEMPTS; failed++) {
    await job().run({ id: messageId })
    const [{ at } = { at: new Date(0) }] = await jobsFor(messageId)
    expect(at.getTime() - Date.now()).toBeGreaterThan((retryAfter(failed)! - 60) * 1000)
  }
  expect((await ada.call(listHooks, {}))[0]!.state).toBe('failing')
  await open.shop.database.pool.query("UPDATE hook_endpoints SET failing_since = now() - interval '73 hours'")
  await job().run({ id: messageId })
  const [message] = await ada.call(listHookMessages, {})
  expect(message).toMatchObject({ state: 'failed', nextAt: null, attempts: { length: MAX_ATTEMPTS } })
  expect(new Set(receiver.letters.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect((await ada.call(listHooks, {}))[0]!.state).toBe('disabled')
  const mails = open.shop.database.db
    .selectFrom('mails')
    .select(['subject', 'bodyText'])
    .where('recipient', '=', ada.email)
  expect(await mails.execute()).toMatchObject([{ subject: 'We have turned a webhook off' }])
  // a disabled address gets no messages and no replays
  await expect(ada.call(replayHookMessage, { id: messageId })).rejects.toMatchObject({ status: 404 })
  await expect(ada.call(testHook, { id })).rejects.toMatchObject({ status: 409 })

  receiver.answer.status = 204
  await ada.call(changeHook, { id, url: receiver.url, events: EVERY, isEnabled: true })
  await ada.call(replayHookMessage, { id: messageId })
  await deliver(ada)
  expect((await ada.call(listHookMessages, {}))[0]).toMatchObject({ id: messageId, state: 'delivered' })
  expect((await ada.call(listHooks, {}))[0]).toMatchObject({ state: 'active', failingSince: null })
})

test('an address that fails three times pauses, but still gets tests of its owner', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 500, text: 'broken' })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  const messages = [await queueEvent(id), await queueEvent(id), await queueEvent(id), await queueEvent(id)]
  for (const message of messages) await job().run({ id: message })
  expect(receiver.letters).toHaveLength(3)
  const [{ at } = { at: new Date(0) }] = await jobsFor(messages[3]!)
  expect(at.getTime()).toBeGreaterThan(Date.now() + 30_000)

  await ada.call(testHook, { id })
  await expect(ada.call(testHook, { id })).rejects.toMatchObject({ status: 409, code: 'waiting' })
  receiver.answer.status = 200
  const test = (await ada.call(listHookMessages, {})).find(({ type }) => type === 'test')
  await job().run({ id: test!.id })
  expect(receiver.letters).toHaveLength(4)
  // after a success, the waiting messages are sent at once
  const [{ at: next } = { at: new Date(0) }] = await jobsFor(messages[3]!)
  expect(next.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
  await job().run({ id: messages[3]! })
  expect(receiver.letters).toHaveLength(5)
})

test('pauses an address for a minute after three failures, and for an hour at most', () => {
  expect([1, 2, 3, 4, 5, 9, 40].map(pauseAfter)).toEqual([0, 0, 60, 120, 240, 3600, 3600])
})

test('the pauses between attempts add up to three days', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, i) => retryAfter(i + 1) ?? 0)
  expect(pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(3 * 24 * 3600)
  expect(retryAfter(MAX_ATTEMPTS)).toBeNull()
})

test('follows no redirect, stores the start of a long response, and disables the address after a 410', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 302, text: `${'x'.repeat(5000)}\0` })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  await ada.call(testHook, { id })
  await deliver(ada)
  const [redirected] = await ada.call(listHookMessages, {})
  expect(redirected!.attempts).toMatchObject([{ status: 302, answer: 'x'.repeat(2000) }])
  expect(receiver.letters).toHaveLength(1)
  receiver.answer.status = 410
  await deliver(ada)
  expect((await ada.call(listHooks, {}))[0]!.state).toBe('disabled')
})

test('signs with a new secret at once and with the former secret for another day', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 200, text: '' })
  const { id, secret } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  const renewed = await ada.call(renewSecret, { id })
  expect(renewed.secret).not.toBe(secret)
  const sendOne = async () => {
    await ada.call(testHook, { id })
    await deliver(ada)
    const { body, headers } = receiver.letters.at(-1)!
    return (by: string) => new Webhook(by).verify(body, headers as Record<string, string>)
  }
  const verify = await sendOne()
  for (const by of [secret, renewed.secret]) expect(verify(by)).toMatchObject({ type: 'test' })
  await open.shop.database.pool.query("UPDATE hook_endpoints SET former_until = now() - interval '1 second'")
  const later = await sendOne()
  expect(later(renewed.secret)).toMatchObject({ type: 'test' })
  expect(() => later(secret)).toThrow()
  const { rows } = await open.shop.database.pool.query('SELECT secret::text AS secret FROM hook_endpoints')
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(renewed.secret).toString('hex'))
})

/** Adds failed events to an address, oldest first, and returns their ids. */
async function failEvents(hookId: string, count: number, daysAgo = 1): Promise<string[]> {
  const { rows } = await open.shop.database.pool.query<{ id: string }>(
    `INSERT INTO hook_messages (endpoint_id, type, body, state, attempts, created_at)
     SELECT $1, 'product.updated', '{}', 'failed', 10, now() - $3 * interval '1 day' + n * interval '1 second'
     FROM generate_series(1, $2::int) n RETURNING id`,
    [hookId, count, daysAgo],
  )
  return rows.map(({ id }) => id)
}

/** Runs the queued jobs of these messages with their payloads, in the order of the queue. */
async function runQueued(ids: string[]) {
  const { rows } = await open.shop.database.pool.query<{ payload: Record<string, string> }>(
    `SELECT payload FROM graphile_worker._private_jobs WHERE key = ANY ($1) ORDER BY run_at, id`,
    [ids.map((id) => `hook:${id}`)],
  )
  for (const { payload } of rows) await job().run(payload)
  return rows.map(({ payload }) => payload.id)
}

test('resends all failed events of the last days, oldest first, and skips addresses that are off', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const receiver = await openReceiver({ status: 200, text: '' })
  const add = (person: Person) => person.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  const [hook, off, others] = [await add(ada), await add(ada), await add(bob)]
  const failed = await failEvents(hook.id, 3)
  await failEvents(hook.id, 2, RESEND_DAYS + 1)
  await failEvents(off.id, 2)
  await failEvents(others.id, 1)
  await ada.call(changeHook, { id: off.id, url: receiver.url, events: EVERY, isEnabled: false })
  expect(await ada.call(countFailedMessages, {})).toEqual({ count: 3 })
  await open.shop.database.pool.query(
    `UPDATE hook_endpoints SET failures = 3, failing_since = now(), paused_until = now() + interval '1 hour' WHERE id = $1`,
    [hook.id],
  )

  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 3 })
  expect(await ada.call(countFailedMessages, {})).toEqual({ count: 0 })
  expect(await runQueued(failed)).toEqual(failed)
  const sent = receiver.letters.map(({ headers }) => headers['webhook-id'])
  expect(sent).toEqual(failed.map((id) => `msg_${id.replaceAll('-', '')}`))
  expect(await bob.call(countFailedMessages, {})).toEqual({ count: 1 })
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 0 })
})

test('a resend of all failed events tries only one at an address that is still paused', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 500, text: '' })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  const failed = await failEvents(id, 3)
  await open.shop.database.pool.query(
    `UPDATE hook_endpoints SET failures = 3, failing_since = now(), paused_until = now() + interval '1 hour' WHERE id = $1`,
    [id],
  )
  await ada.call(replayFailedMessages, {})
  await runQueued(failed)
  expect(receiver.letters).toHaveLength(1)
  expect((await ada.call(listHookMessages, {})).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
})

test('counts and resends a limited number of failed events in one call', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 200, text: '' })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  await failEvents(id, MAX_RESENT + 1)
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: MAX_RESENT })
  expect(await ada.call(countFailedMessages, {})).toEqual({ count: 1 })
  await failEvents(id, MAX_COUNTED)
  expect(await ada.call(countFailedMessages, {})).toEqual({ count: MAX_COUNTED })
})

test('a resend of all failed events neither counts nor sends tests', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 200, text: '' })
  const { id } = await ada.call(addHook, { url: receiver.url, events: EVERY, isForShop: false })
  const [event, failedTest] = await failEvents(id, 2)
  await open.shop.database.pool.query(`UPDATE hook_messages SET type = 'test' WHERE id = $1`, [failedTest])
  expect(await ada.call(countFailedMessages, {})).toEqual({ count: 1 })
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 1 })
  expect(await runQueued([event!, failedTest!])).toEqual([event])
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 0 })
  const log = await ada.call(listHookMessages, {})
  expect(log.map(({ type, state }) => [type, state])).toEqual([
    ['test', 'failed'],
    ['product.updated', 'delivered'],
  ])
})

test('an event that is due while its address is off fails, so that a resend includes it later', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 200, text: '' })
  const address = { url: receiver.url, events: EVERY }
  const { id } = await ada.call(addHook, { ...address, isForShop: false })
  await queueEvent(id)
  await ada.call(changeHook, { id, ...address, isEnabled: false })
  await deliver(ada)
  expect((await ada.call(listHookMessages, {}))[0]).toMatchObject({ state: 'failed', attempts: [] })
  await ada.call(changeHook, { id, ...address, isEnabled: true })
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 1 })
  await deliver(ada)
  expect(receiver.letters).toHaveLength(1)
})

test('once a day, waiting events without a job fail, so that a resend includes them', async () => {
  const ada = await open.shop.join()
  const receiver = await openReceiver({ status: 200, text: '' })
  const address = { url: receiver.url, events: EVERY }
  const [on, off] = [
    await ada.call(addHook, { ...address, isForShop: false }),
    await ada.call(addHook, { ...address, isForShop: false }),
  ]
  const { pool } = open.shop.database
  const [ofOn, ofOff] = [await queueEvent(on.id), await queueEvent(off.id)]
  const [queued, fresh] = [await queueEvent(on.id), await queueEvent(on.id)]
  await ada.call(changeHook, { id: off.id, ...address, isEnabled: false })
  await pool.query(`UPDATE hook_messages SET created_at = now() - interval '2 hours' WHERE id = ANY ($1)`, [
    [ofOn, ofOff, queued],
  ])
  await pool.query('DELETE FROM graphile_worker._private_jobs WHERE key = ANY ($1)', [
    [ofOn, ofOff, fresh].map((id) => `hook:${id}`),
  ])

  await job('sweep_hooks').run({})
  const log = await ada.call(listHookMessages, {})
  const states = new Map(log.map(({ id, state }) => [id, state]))
  expect([ofOn, ofOff, queued, fresh].map((id) => states.get(id))).toEqual(['failed', 'failed', 'waiting', 'waiting'])
  expect(await ada.call(replayFailedMessages, {})).toEqual({ queued: 1 })
})

test('rejects invalid addresses, too many of them, webhooks of other members and events of all sellers', async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const receiver = await openReceiver({ status: 200, text: '' })
  const given = { url: receiver.url, events: EVERY, isForShop: false }
  await expect(ada.call(addHook, { ...given, isForShop: true })).rejects.toMatchObject({ status: 403 })
  await expect(ada.call(addHook, { ...given, events: [] })).rejects.toMatchObject({ status: 400 })
  await expect(ada.call(addHook, { ...given, url: 'nonsense' })).rejects.toMatchObject({ status: 400 })
  const { id } = await ada.call(addHook, given)
  await ada.call(testHook, { id })
  const [message] = await ada.call(listHookMessages, {})
  for (const refused of [
    () => bob.call(changeHook, { id, url: given.url, events: EVERY, isEnabled: true }),
    () => bob.call(renewSecret, { id }),
    () => bob.call(removeHook, { id }),
    () => bob.call(testHook, { id }),
    () => bob.call(replayHookMessage, { id: message!.id }),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 404 })
  expect([await bob.call(listHooks, {}), await bob.call(listHookMessages, {})]).toEqual([[], []])
  const more = Array.from({ length: MAX_ENDPOINTS + 2 }, () => ada.call(addHook, given))
  const made = (await Promise.allSettled(more)).filter(({ status }) => status === 'fulfilled')
  expect(made).toHaveLength(MAX_ENDPOINTS - 1)
  await ada.call(removeHook, { id })
  await vi.waitFor(async () => expect(await ada.call(listHooks, {})).toHaveLength(MAX_ENDPOINTS - 1))
  expect(await ada.call(listHookMessages, {})).toEqual([])
})
