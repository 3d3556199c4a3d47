import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestShop } from '../../test/shop.ts'
import { openStripeShop, stripeOf } from '../../test/stripe.ts'
import { saveSandboxCard } from './cards.server.ts'

// Tests the Stripe sandbox over HTTP with Stripe's own client library.

let shop: TestShop
let stand: Awaited<ReturnType<typeof stripeOf>>
beforeAll(async () => {
  shop = await openStripeShop()
  stand = await stripeOf(shop)
})
afterAll(() => shop?.close())
beforeEach(() => stand.setFaults({ rate: 0, kinds: [] }))

type Create = Stripe.Checkout.SessionCreateParams
const BACK = 'https://shop.example'

const body = (change: Partial<Create> = {}): Create => ({
  mode: 'payment',
  ui_mode: 'hosted_page',
  client_reference_id: 'p1',
  metadata: { payment_id: 'p1' },
  line_items: [
    { quantity: 2, price_data: { currency: 'usd', unit_amount: 1250, product_data: { name: 'Corner Café & <Co>' } } },
    { quantity: 1, price_data: { currency: 'usd', unit_amount: 1999, product_data: { name: 'Night Trains' } } },
  ],
  payment_intent_data: { metadata: { payment_id: 'p1' } },
  success_url: `${BACK}/return?ref={CHECKOUT_SESSION_ID}`,
  cancel_url: `${BACK}/cart`,
  ...change,
})
const create = (change?: Partial<Create>, options?: Stripe.RequestOptions) =>
  stand.library.checkout.sessions.create(body(change), options)
const saving = { payment_intent_data: { setup_future_usage: 'off_session' }, customer_creation: 'always' } as const
const read = (id: string) => stand.library.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })
const intentOf = async (id: string) => (await read(id)).payment_intent as Stripe.PaymentIntent
const pay = (id: string, number = '4242 4242 4242 4242') => stand.submit(id, { number, expiry: '12 / 34', cvc: '123' })
const paid = async (change?: Partial<Create>, number?: string) => {
  const { id } = await create(change)
  expect((await pay(id, number)).status).toBe(303)
  return (await intentOf(id)).latest_charge as Stripe.Charge
}

describe('the hosted page', () => {
  test('shows a notice that no real money moves and the lines, and redirects to the shop after payment', async () => {
    const session = await create()
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 4499,
      payment_intent: null,
    })
    const page = await (await fetch(session.url!)).text()
    for (const text of ['No real money moves', 'Corner Café &amp; &lt;Co&gt; × 2', 'Pay $44.99', `${BACK}/cart`])
      expect(page).toContain(text)
    expect(page).not.toContain('<script')
    const answer = await pay(session.id)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${BACK}/return?ref=${session.id}`])
    expect(await read(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      payment_intent: {
        status: 'succeeded',
        amount_received: 4499,
        metadata: { payment_id: 'p1' },
        latest_charge: { amount: 4499, payment_method_details: { card: { brand: 'visa', last4: '4242' } } },
      },
    })
    expect((await pay(session.id)).status).toBe(409)
  })

  test.each([
    ['4000000000000002', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'insufficient_funds', 'Your card has insufficient funds.'],
  ])('declines the card %s, then accepts another card', async (number, code, says) => {
    const { id } = await create()
    const answer = await pay(id, number)
    expect([answer.status, (await answer.text()).includes(says)]).toEqual([200, true])
    const error = { code: 'card_declined', decline_code: code, payment_method: { card: { last4: number.slice(-4) } } }
    expect(await read(id)).toMatchObject({
      status: 'open',
      payment_intent: { status: 'requires_payment_method', last_payment_error: error },
    })
    expect((await pay(id)).status).toBe(303)
    expect(await intentOf(id)).toMatchObject({ status: 'succeeded', last_payment_error: null })
  })

  test('requires 3-D Secure and charges once the bank confirms', async () => {
    const { id, url } = await create()
    expect(await (await pay(id, '4000002500003155')).text()).toContain('3-D Secure')
    expect(await intentOf(id)).toMatchObject({ status: 'requires_action', latest_charge: null })
    expect(await (await fetch(url!)).text()).toContain('3-D Secure')
    const denied = await stand.submit(id, { bank: 'fail' })
    expect(await denied.text()).toContain('unable to authenticate')
    expect(await intentOf(id)).toMatchObject({
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
    await pay(id, '4000002500003155')
    expect((await stand.submit(id, { bank: 'complete' })).status).toBe(303)
    expect((await read(id)).payment_status).toBe('paid')
  })

  test('rejects every number that is not a test card, and stores no number', async () => {
    const { id } = await create()
    expect(await (await pay(id, '4111 1111 1111 1111')).text()).toContain('Only the test cards')
    await pay(id)
    const { rows } = await shop.database.pool.query(
      `SELECT kind FROM sandbox.records WHERE body::text LIKE ANY ('{%4242424242424242%,%4111111111111111%}')`,
    )
    expect(rows).toEqual([])
  })

  test('ignores a confirmation of the bank that it did not request', async () => {
    const { id } = await create()
    await stand.submit(id, { bank: 'complete' })
    expect((await read(id)).status).toBe('open')
  })

  test('can be expired while it is open, and rejects payments afterwards', async () => {
    const { id, url } = await create()
    expect(await stand.library.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null })
    expect([(await fetch(url!)).status, (await pay(id)).status]).toEqual([410, 410])
    expect((await read(id)).payment_intent).toBeNull()
    await expect(stand.library.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 })
    const other = await create()
    await pay(other.id)
    await expect(stand.library.checkout.sessions.expire(other.id)).rejects.toThrow('can be expired')
  })

  test('charges once for two simultaneous presses', async () => {
    const { id } = await create({ payment_intent_data: { metadata: { payment_id: 'twice' } } })
    const answers = await Promise.all([pay(id), pay(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    const charges = `SELECT id FROM sandbox.records WHERE kind = 'stripe_charge' AND body->'metadata'->>'payment_id' = 'twice'`
    expect((await shop.database.pool.query(charges)).rowCount).toBe(1)
  })
})

describe('idempotency', () => {
  const key = () => ({ idempotencyKey: crypto.randomUUID() })

  test('answers a repeated request with the first answer', async () => {
    const options = key()
    const [first, second] = [await create({}, options), await create({}, options)]
    expect(second.id).toBe(first.id)
    expect(new Headers(second.lastResponse.headers).get('idempotent-replayed')).toBe('true')
    const together = key()
    const [left, right] = await Promise.all([create({}, together), create({}, together)])
    expect(left.id).toBe(right.id)
  })

  test('rejects a key that was used with other parameters', async () => {
    const options = key()
    await create({}, options)
    await expect(create({ client_reference_id: 'p2' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    })
  })

  test('expires an idempotency key after 24 hours', async () => {
    const options = key()
    const first = await create({}, options)
    await stand.forgetKeys()
    expect((await create({}, options)).id).not.toBe(first.id)
  })

  test('answers 409 while the first request runs', async () => {
    await stand.setFaults({ rate: 1, kinds: ['under_way'] })
    await expect(create({}, key())).rejects.toMatchObject({ statusCode: 409 })
  })

  test('answers a repeated decline with the same payment', async () => {
    const { vaultId } = await saveSandboxCard(shop.database.db, { email: 'poor@x', number: '4000000000009995' })
    const options = key()
    const refs = await Promise.all([1, 2].map(() => chargeSaved(vaultId, options).catch(idOfError)))
    expect(refs[0]).toMatch(/^pi_/)
    expect(refs[1]).toBe(refs[0])
  })
})

const idOfError = (error: unknown) => (error as Stripe.errors.StripeCardError).payment_intent!.id
const chargeSaved = async (vaultId: string, options: Stripe.RequestOptions = {}) => {
  const [customer, method] = vaultId.split('.')
  const given = { amount: 1500, currency: 'usd', off_session: true, confirm: true } as const
  return stand.library.paymentIntents.create({ ...given, customer: customer!, payment_method: method! }, options)
}

describe('errors', () => {
  test.each([
    ['an unknown parameter', { nonsense: 'x' }, { code: 'parameter_unknown', param: 'nonsense' }],
    ['a missing parameter', { success_url: undefined }, { code: 'parameter_missing', param: 'success_url' }],
    ['no lines', { line_items: [] }, { code: 'parameter_missing', param: 'line_items' }],
    ['an end too soon', { expires_at: Math.floor(Date.now() / 1000) + 60 }, { param: 'expires_at' }],
  ])('rejects %s', async (_, change, error) => {
    const failure = { type: 'StripeInvalidRequestError', statusCode: 400, ...error }
    await expect(create(change as Partial<Create>)).rejects.toMatchObject(failure)
  })

  test('rejects amounts below 50 cents', async () => {
    const line = { quantity: 1, price_data: { currency: 'usd', unit_amount: 49, product_data: { name: 'x' } } }
    await expect(create({ line_items: [line] })).rejects.toMatchObject({ code: 'amount_too_small' })
  })

  test('answers 404 for an unknown object and 401 for a wrong key', async () => {
    await expect(read('cs_test_0')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    await expect(stand.library.refunds.retrieve('pi_0')).rejects.toMatchObject({ statusCode: 404 })
    const stranger = stand.libraryWith('sk_test_0')
    await expect(stranger.checkout.sessions.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' })
  })

  test('answers 500 or drops answers if a test sets the fault', async () => {
    await stand.setFaults({ rate: 1, kinds: ['error'] })
    await expect(create()).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
    await stand.setFaults({ rate: 1, kinds: ['lost'] })
    const reference = crypto.randomUUID()
    await expect(create({ client_reference_id: reference })).rejects.toMatchObject({ type: 'StripeConnectionError' })
    await stand.setFaults({ rate: 0, kinds: [] })
    const [latest] = (await stand.library.checkout.sessions.list({ limit: 1 })).data
    expect(latest).toMatchObject({ client_reference_id: reference })
  })
})

describe('saved cards', () => {
  test('are saved if the shop asks, charged without their owner, and deleted', async () => {
    const { id } = await create(saving)
    await pay(id, '4000002500003155')
    await stand.submit(id, { bank: 'complete' })
    const { customer, payment_method: method, setup_future_usage: future } = await intentOf(id)
    expect([future, customer, method]).toEqual([
      'off_session',
      expect.stringMatching(/^cus_/),
      expect.stringMatching(/^pm_/),
    ])
    const vaultId = `${customer as string}.${method as string}`
    expect(await chargeSaved(vaultId)).toMatchObject({ status: 'succeeded', amount_received: 1500 })
    await stand.library.paymentMethods.detach(method as string)
    await expect(chargeSaved(vaultId)).rejects.toMatchObject({ type: 'StripeInvalidRequestError' })
    await expect(stand.library.paymentMethods.detach(method as string)).rejects.toMatchObject({ statusCode: 400 })
  })

  test.each([
    ['is ticked', { save: 'on' }, true],
    ['is not', {}, false],
  ])('follow the Save box on the page: the box %s', async (_, box, isKept) => {
    const asking = {
      customer_creation: 'always',
      saved_payment_method_options: { payment_method_save: 'enabled' },
    } as const
    const { id, url } = await create(asking)
    expect(await (await fetch(url!)).text()).toContain('Save this card')
    await stand.submit(id, { number: '4000002500003155', ...box })
    await stand.submit(id, { bank: 'complete' })
    const { payment_method: method } = await intentOf(id)
    const card = await stand.library.paymentMethods.retrieve(method as string)
    expect([card.customer !== null, card.allow_redisplay]).toEqual([isKept, isKept ? 'always' : 'unspecified'])
    await expect(create({ ...asking, customer_creation: 'if_required' })).rejects.toMatchObject({ statusCode: 400 })
  })

  test('are not saved unless requested', async () => {
    const { payment_method: method } = await paid()
    expect((await stand.library.paymentMethods.retrieve(method as string)).customer).toBeNull()
  })

  test('fail without their owner if the bank requires 3-D Secure for every payment', async () => {
    const { vaultId } = await saveSandboxCard(shop.database.db, { email: 'asked@x', number: '4000002760003184' })
    await expect(chargeSaved(vaultId)).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method' },
    })
  })
})

describe('refunds', () => {
  test('refund a payment in parts, never more than the amount paid', async () => {
    const { id: charge } = await paid()
    const { refunds } = stand.library
    await refunds.create({ charge, amount: 1000, metadata: { refund_id: 'r1' } })
    await expect(refunds.create({ charge, amount: 3500 })).rejects.toMatchObject({ param: 'amount' })
    await refunds.create({ charge, amount: 499 })
    expect(await refunds.create({ charge })).toMatchObject({ amount: 3000, status: 'succeeded' })
    await expect(refunds.create({ charge })).rejects.toMatchObject({ code: 'charge_already_refunded' })
    expect(await stand.library.charges.retrieve(charge)).toMatchObject({ refunded: true, amount_refunded: 4499 })
    const listed: number[] = []
    for await (const { amount } of refunds.list({ charge, limit: 1 })) listed.push(amount)
    expect(listed).toEqual([3000, 499, 1000])
  })
})

describe('disputes', () => {
  test('withdraw the money, accept evidence once and return the money if the shop wins', async () => {
    const charge = await paid({}, '4000000000000259')
    expect(charge.disputed).toBe(true)
    const { data } = await stand.library.events.list({ type: 'charge.dispute.created' })
    const dispute = data[0]!.data.object as Stripe.Dispute
    expect(dispute).toMatchObject({ charge: charge.id, amount: 4499, status: 'needs_response', reason: 'fraudulent' })
    await expect(stand.library.refunds.create({ charge: charge.id })).rejects.toMatchObject({ code: 'charge_disputed' })
    const evidence = { customer_name: 'Ada', access_activity_log: 'downloaded' }
    const sent = await stand.library.disputes.update(dispute.id, { evidence, submit: true })
    expect(sent).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } })
    await expect(stand.library.disputes.update(dispute.id, { evidence })).rejects.toMatchObject({ statusCode: 400 })
    const { rows } = await shop.database.pool.query<{ ref: string }>(
      `SELECT order_id AS ref FROM sandbox.records WHERE id = $1`,
      [charge.id],
    )
    await stand.press('win', rows[0]!.ref)
    expect((await stand.library.disputes.retrieve(dispute.id)).status).toBe('won')
    const moved = (await stand.library.balanceTransactions.list({ limit: 3, expand: ['data.source'] })).data
    expect(moved.map(({ amount, reporting_category: kind }) => [amount, kind])).toEqual([
      [4499, 'dispute_reversal'],
      [-4499, 'dispute'],
      [4499, 'charge'],
    ])
    await expect(stand.press('lose', rows[0]!.ref)).rejects.toThrow('409')
  })

  test('accept files of at most 4.5 MB together as evidence', async () => {
    const session = await create()
    await pay(session.id)
    await stand.press('dispute', session.id)
    const { data } = await stand.library.events.list({ type: 'charge.dispute.created', limit: 1 })
    const { id } = data[0]!.data.object as Stripe.Dispute
    const store = (name: string, type: string, size: number) =>
      stand.library.files.create({ purpose: 'dispute_evidence', file: { name, type, data: Buffer.alloc(size, ' ') } })
    await expect(store('a.gif', 'image/gif', 10)).rejects.toMatchObject({ statusCode: 400, param: 'file' })
    const [small, large] = [await store('a.pdf', 'application/pdf', 10), await store('b.jpg', 'image/jpeg', 4_718_592)]
    const update = (evidence: Stripe.DisputeUpdateParams.Evidence) => stand.library.disputes.update(id, { evidence })
    const both = { customer_communication: small.id, uncategorized_file: large.id }
    await expect(update(both)).rejects.toThrow('4.5 MB')
    await expect(update({ uncategorized_file: 'file_0' })).rejects.toMatchObject({ code: 'resource_missing' })
    expect((await update({ uncategorized_file: large.id })).evidence.uncategorized_file).toBe(large.id)
  })

  test('can be opened by a test, and lost by accepting', async () => {
    const session = await create()
    await pay(session.id)
    await stand.press('dispute', session.id)
    const { data } = await stand.library.events.list({ type: 'charge.dispute.created', limit: 1 })
    const { id } = data[0]!.data.object as Stripe.Dispute
    expect((await stand.library.disputes.close(id)).status).toBe('lost')
  })
})
