import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { saveSandboxCard } from '../../../sandbox/stripe/cards.server.ts'
import { signEvent } from '../../../sandbox/stripe/keys.server.ts'
import { addProduct } from '../../../test/goods.ts'
import { paymentRef } from '../../../test/payment.ts'
import type { TestShop } from '../../../test/shop.ts'
import { openStripeShop, stripeOf } from '../../../test/stripe.ts'
import { placeOrder, readBankQuestion, settleReturn, startPayment } from '../../checkout/checkout.contract.ts'
import { handleDispute } from '../../aftersale/disputes/dispute.server.ts'
import { adoptRefund } from '../../aftersale/refunds/refund.server.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { saveWallet } from '../../payments/wallets.store.server.ts'
import type { Charge, PaymentRef } from '../../payments/outcome.ts'
import { createStripe } from './stripe.server.ts'

let shop: TestShop
let stand: Awaited<ReturnType<typeof stripeOf>>
beforeAll(async () => {
  shop = await openStripeShop()
  stand = await stripeOf(shop)
})
afterAll(() => shop?.close())
beforeEach(() => stand.setFaults({ rate: 1, kinds: ['webhook_lost'] }))

const stripe = () => shop.checkout.providers.main
const DAY = 24 * 60 + 5
const LINES = [{ productId: 'a', title: 'Night Trains', priceCents: 500, quantity: 2 }]

const charge = (change: Partial<Charge> = {}): Charge => ({ ...paymentRef({}), lines: LINES, ...change })
const start = async (payment: Charge, isKeepable = false) => {
  const { ref, next } = await stripe().start({ ...payment, isKeepable })
  return { ref, url: next.kind === 'page' ? next.url : '' }
}
/** Creates a payment and pays it as the buyer. */
async function paid() {
  const payment = charge()
  const { ref } = await start(payment)
  await stand.press('approve', ref)
  const found = await stripe().find({ ...payment, providerOrderId: ref })
  if (found.kind !== 'captured') throw new Error(found.kind)
  return { ...payment, providerOrderId: ref, providerCaptureId: found.captureRef }
}
const count = async (kind: string, paymentId: string) => {
  const text = `SELECT FROM sandbox.records WHERE kind = $1 AND body->'metadata'->>'payment_id' = $2`
  return (await shop.database.pool.query(text, [`stripe_${kind}`, paymentId])).rowCount
}
const clientAt = (baseUrl: string) =>
  createStripe({ secretKey: 'sk_test_0', webhookSecret: 'whsec_0', mode: 'sandbox', baseUrl, publicUrl: shop.url })
const during = async <T>(kind: 'error' | 'lost', work: () => Promise<T>) => {
  await stand.setFaults({ rate: 1, kinds: [kind] })
  return work().finally(() => stand.setFaults({ rate: 0, kinds: [] }))
}

describe('payment page', () => {
  test('a repeated start returns the same page, even if the request changed', async () => {
    const payment = charge()
    const first = await start(payment, true)
    expect(first.url).toBe(`${shop.url}/sandbox/stripe/pay/${first.ref}`)
    expect(await start(payment, true)).toEqual(first)
    expect(await start(payment, false)).toEqual(first)
    expect(await start({ ...payment, providerOrderId: first.ref })).toEqual(first)
    expect(await count('session', payment.id)).toBe(1)
  })

  test('finds the page again when the response was lost', async () => {
    const payment = charge()
    await expect(during('lost', () => start(payment))).rejects.toThrow('no answer')
    await start(payment)
    expect(await count('session', payment.id)).toBe(1)
  })

  test('creates the page although Stripe stored an error for the idempotency key', async () => {
    const payment = charge()
    await shop.database.pool.query(
      `INSERT INTO sandbox.replays (request_id, path, status, body) VALUES ($1, '/sandbox/stripe', 500, 'another request')`,
      [payment.id],
    )
    const { url } = await start(payment)
    expect([(await fetch(url)).status, await count('session', payment.id)]).toEqual([200, 1])
    expect((await start(payment)).url).toBe(url)
  })

  test('creates no second page after the idempotency key expired', async () => {
    const payment = charge()
    const first = await start(payment)
    await stand.forgetKeys()
    expect(await start({ ...payment, ageMinutes: DAY })).toEqual(first)
  })

  test('redirects to the shop once the page is paid or expired', async () => {
    const payment = await paid()
    const back = `${shop.url}/checkout/return?provider=stripe&ref=${payment.providerOrderId}`
    expect((await start(payment)).url).toBe(back)
    const page = await (await stand.submit(payment.providerOrderId, {})).text()
    expect(page).toContain(back.replaceAll('&', '&amp;'))
  })

  test("shows one line when credit or discounts pay a part, and respects Stripe's limits", async () => {
    const many = Array.from({ length: 120 }, () => ({ ...LINES[0]!, priceCents: 10, quantity: 1 }))
    for (const payment of [charge({ amountCents: 700 }), charge({ amountCents: 1200, lines: many })]) {
      const { ref } = await start(payment)
      expect(await stand.library.checkout.sessions.retrieve(ref)).toMatchObject({ amount_total: payment.amountCents })
    }
  })

  test('closes an unpaid page and leaves a paid page open', async () => {
    const payment = charge()
    const { ref, url } = await start(payment)
    const open: PaymentRef = { ...payment, providerOrderId: ref }
    expect(await stripe().close!(open)).toEqual({ kind: 'gone' })
    expect((await fetch(url)).status).toBe(410)
    expect([await stripe().find(open), await stripe().close!(open)]).toEqual([{ kind: 'gone' }, { kind: 'gone' }])
    expect(await stripe().close!(await paid())).toMatchObject({ kind: 'captured', amountCents: 1000 })
  })

  test('closes a page whose id the shop never received', async () => {
    const payment = charge()
    await expect(during('lost', () => start(payment))).rejects.toThrow()
    expect(await stripe().close!(payment)).toEqual({ kind: 'gone' })
    const { rows } = await shop.database.pool.query(
      `SELECT body->>'status' AS status FROM sandbox.records WHERE body->>'client_reference_id' = $1`,
      [payment.id],
    )
    expect(rows).toEqual([{ status: 'expired' }])
    expect(await stripe().close!(charge())).toEqual({ kind: 'gone' })
  })

  test('keeps a declined page payable while Stripe refuses to expire it', async () => {
    const error = { code: 'card_declined', charge: 'ch_1' }
    const intent = { id: 'pi_1', status: 'requires_payment_method', last_payment_error: error, metadata: {} }
    const answers = (status: string) => (request: IncomingMessage, response: ServerResponse) => {
      const isExpiring = request.url!.endsWith('/expire')
      const refused = { error: { type: 'invalid_request_error', message: 'a payment is under way' } }
      response.writeHead(isExpiring ? 400 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isExpiring ? refused : { id: 'cs_1', status, payment_intent: intent }))
    }
    for (const [status, kind] of [
      ['open', 'declined'],
      ['complete', 'gone'],
    ] as const) {
      const server = createServer(answers(status)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { close } = clientAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      expect((await close!({ ...charge(), providerOrderId: 'cs_1' })).kind).toBe(kind)
      server.close()
    }
  })

  test('returns unknown while Stripe is away', async () => {
    const payment = await paid()
    for (const act of [stripe().find, stripe().capture, stripe().close!])
      expect(await during('error', () => act(payment))).toMatchObject({ kind: 'unknown', isAway: true })
  })
})

describe('saved card', () => {
  test('saves the card with brand and last digits when the buyer pays and agrees', async () => {
    const payment = charge()
    const { ref } = await start(payment, true)
    await stand.press('approve', ref)
    const found = await stripe().find({ ...payment, providerOrderId: ref })
    expect(found).toMatchObject({
      kind: 'captured',
      paymentId: payment.id,
      payer: { id: null, country: 'US' },
      saved: { token: expect.stringMatching(/^cus_\w+\.pm_\w+$/), label: 'Visa ending in 4242' },
      card: 'Visa ending in 4242',
    })
    expect(await paid().then(stripe().find)).toMatchObject({ saved: null })
    // the page offered to save the card, and the buyer declined
    const refused = charge()
    const page = await start(refused, true)
    await stand.press('approve?keep=0', page.ref)
    const left = await stripe().find({ ...refused, providerOrderId: page.ref })
    expect(left).toMatchObject({ kind: 'captured', saved: null })
  })

  const saved = async (number?: string) => {
    const email = `${crypto.randomUUID()}@x.example`
    return (await saveSandboxCard(shop.database.db, { email, ...(number !== undefined && { number }) })).vaultId
  }

  test.each(['error', 'lost'] as const)('charges once when the response is lost: %s', async (fault) => {
    const [payment, token] = [charge(), await saved()]
    expect(await during(fault, () => stripe().saved!.charge(payment, token))).toMatchObject({ kind: 'unknown' })
    const repeat = { ...payment, sentMinutes: 1 }
    expect(await stripe().saved!.charge(repeat, token)).toMatchObject({ kind: 'captured', amountCents: 1000 })
    await stand.forgetKeys()
    const late = { ...repeat, ageMinutes: DAY, sentMinutes: DAY }
    expect(await stripe().saved!.charge(late, token)).toMatchObject({ kind: 'captured' })
    expect(await stripe().find(late)).toMatchObject({ kind: 'captured', paymentId: payment.id })
    expect(await count('charge', payment.id)).toBe(1)
  })

  test('does not charge late when the first request never arrived', async () => {
    const late = charge({ ageMinutes: DAY, sentMinutes: DAY })
    expect(await stripe().saved!.charge(late, await saved())).toMatchObject({ kind: 'declined' })
    expect(await stripe().find(late)).toMatchObject({ kind: 'declined' })
    const justNow = { ...late, ageMinutes: 23 * 60 + 1 }
    expect(await stripe().saved!.charge(justNow, await saved())).toMatchObject({ kind: 'unknown', isAway: false })
    expect(await stripe().find({ ...late, sentMinutes: 1 })).toMatchObject({ kind: 'unknown', isAway: false })
    expect(await count('charge', late.id)).toBe(0)
  })

  test('cancels a charge that waits for 3-D Secure when the shop closes the payment', async () => {
    const payment = charge()
    const asked = await stripe().saved!.charge(payment, await saved('4000002760003184'))
    if (asked.kind !== 'asked') throw new Error(asked.kind)
    expect(asked).toMatchObject({ ref: expect.stringMatching(/^pi_/), url: expect.stringContaining('/bank/pi_') })
    const open: PaymentRef = { ...payment, providerOrderId: asked.ref }
    expect([await stripe().close!(open), await stripe().find(open)]).toEqual([{ kind: 'gone' }, { kind: 'gone' }])
    expect((await stand.library.paymentIntents.retrieve(asked.ref)).status).toBe('canceled')
    const paidCharge = charge()
    const done = await stripe().saved!.charge(paidCharge, await saved())
    const ref = 'ref' in done ? done.ref : null
    expect(await stripe().close!({ ...paidCharge, providerOrderId: ref })).toMatchObject({ kind: 'captured' })
  })

  describe('saved card with 3-D Secure', () => {
    async function bought() {
      const [buyer, product] = [await shop.join(), await addProduct(shop, { codes: [crypto.randomUUID()] })]
      const token = await saved('4000002760003184')
      await saveWallet(shop.database.db, {
        ...{ userId: buyer.id, provider: 'stripe', mode: 'sandbox', vaultId: token, label: 'Visa' },
      })
      const items = [{ productId: product.id, quantity: 1, price: product.price }]
      const given = { items, total: product.price, paymentMethod: 'stripe', paymentId: crypto.randomUUID() }
      const { id, status } = await buyer.call(placeOrder, { ...given, source: 'product' })
      expect(status).toBe('pending')
      const { url } = await buyer.call(readBankQuestion, { id })
      const payments = async () => {
        const text = 'SELECT id, status FROM payments WHERE order_id = $1 ORDER BY created_at'
        return (await shop.database.pool.query<{ id: string; status: string }>(text, [id])).rows
      }
      /** Presses a button on the bank's page. */
      const answer = (bank: 'complete' | 'fail') =>
        fetch(url!, { method: 'POST', body: new URLSearchParams({ bank }), redirect: 'manual' })
      const read = async () => (await buyer.call(getOrder, { id })).status
      return { buyer, product, id, url, payments, answer, read }
    }

    test('pays on the bank’s page, which redirects to the shop', async () => {
      const { buyer, id, url, payments, answer, read } = await bought()
      const [payment] = await payments()
      expect([url, payment!.status]).toEqual([expect.stringContaining('/sandbox/stripe/bank/pi_'), 'created'])
      const { rows } = await shop.database.pool.query(`SELECT FROM codes WHERE state = 'held' AND payment_id = $1`, [
        payment!.id,
      ])
      // no goods are reserved while the buyer is at the bank's page
      expect(rows).toEqual([])
      await expect((await shop.join()).call(readBankQuestion, { id })).rejects.toMatchObject({ status: 404 })
      const back = await answer('complete')
      expect(back.headers.get('location')).toMatch(
        new RegExp(`/checkout/return\\?provider=stripe&payment=${payment!.id}&payment_intent=pi_`),
      )
      const returned = await buyer.call(settleReturn, { provider: 'stripe', payment: payment!.id })
      expect([returned.status, await read()]).toEqual(['COMPLETED', 'completed'])
      expect((await buyer.call(readBankQuestion, { id })).url).toBeNull()
    })

    test('declines the charge and leaves the order pending when the buyer rejects 3-D Secure', async () => {
      const { buyer, payments, answer, read } = await bought()
      await answer('fail')
      const [payment] = await payments()
      const returned = await buyer.call(settleReturn, { provider: 'stripe', payment: payment!.id })
      expect([returned.status, await read(), (await payments())[0]!.status]).toEqual([
        ...['DECLINED', 'pending', 'declined'],
      ])
    })
  })

  test('keeps the order open for Finish payment when its bank asks for 3-D Secure', async () => {
    const [buyer, product] = [await shop.join(), await addProduct(shop)]
    const token = await saved('4000002760003184')
    const wallet = { userId: buyer.id, provider: 'stripe', mode: 'sandbox', vaultId: token, label: 'Visa' } as const
    await saveWallet(shop.database.db, wallet)
    const items = [{ productId: product.id, quantity: 1, price: product.price }]
    const given = { items, total: product.price, paymentMethod: 'stripe', paymentId: crypto.randomUUID() }
    const { id: orderId, status } = await buyer.call(placeOrder, { ...given, source: 'product' })
    expect(status).toBe('pending')
    const { next } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', orderId })
    expect(next.kind).toBe('page')
    const { rows } = await shop.database.pool.query(
      'SELECT status, last_error FROM payments WHERE order_id = $1 ORDER BY created_at',
      [orderId],
    )
    expect(rows).toEqual([
      { status: 'canceled', last_error: 'another method was chosen' },
      { status: 'created', last_error: null },
    ])
    expect((await buyer.call(getOrder, { id: orderId })).status).toBe('pending')
  })
})

describe('refund', () => {
  const refundOf = (
    payment: PaymentRef,
    change: { id?: string; ageMinutes?: number; amountCents?: number | null } = {},
  ) => ({
    id: crypto.randomUUID(),
    amountCents: 400,
    providerRefundId: null,
    ageMinutes: 0,
    payment,
    ...change,
  })

  test('refunds once, even after the idempotency key expired', async () => {
    const asked = refundOf(await paid())
    const first = await stripe().refund(asked)
    expect(first).toMatchObject({ kind: 'completed', refundId: asked.id, amountCents: 400 })
    expect(await stripe().refund(asked)).toEqual(first)
    await stand.forgetKeys()
    expect(await stripe().refund({ ...asked, ageMinutes: DAY })).toEqual(first)
    expect((await stand.library.charges.retrieve(asked.payment.providerCaptureId!)).amount_refunded).toBe(400)
  })

  test('sends a refund late when Stripe never received it', async () => {
    const asked = refundOf(await paid(), { ageMinutes: DAY })
    expect(await stripe().refund(asked)).toMatchObject({ kind: 'completed', amountCents: 400 })
  })

  test("maps Stripe's reason to a code of the shop", async () => {
    const payment = await paid()
    expect(await stripe().refund(refundOf(payment, { amountCents: 1001 }))).toEqual({
      kind: 'refused',
      reason: 'REFUND_AMOUNT_EXCEEDED',
    })
    await stripe().refund(refundOf(payment, { amountCents: null }))
    expect(await stripe().refund(refundOf(payment))).toEqual({
      kind: 'completed',
      ref: null,
      refundId: null,
      amountCents: null,
    })
    const disputed = await paid()
    await stand.press('dispute', disputed.providerOrderId)
    expect(await stripe().refund(refundOf(disputed))).toEqual({ kind: 'refused', reason: 'TRANSACTION_DISPUTED' })
  })

  test("links a refund made in Stripe's dashboard to its payment", async () => {
    const { id, providerCaptureId: captureRef } = await paid()
    const { id: refundRef } = await stand.library.refunds.create({ charge: captureRef, amount: 250 })
    expect(await stripe().findRefund({ refundRef, captureRef })).toEqual({
      paymentId: id,
      outcome: { kind: 'completed', ref: refundRef, refundId: null, amountCents: 250 },
    })
  })
})

describe('dispute', () => {
  const EVIDENCE = {
    buyerName: 'Ada Okafor',
    buyerEmail: 'ada@x.example',
    ip: '203.0.113.4',
    country: 'US',
    boughtAt: new Date('2026-11-20T10:00:00Z'),
    productDescription: 'Night Trains, an e-book',
    deliveryLog: ['2026-11-20 10:01 downloaded', '2026-11-21 08:00 downloaded'],
    refundPolicy: '14 days',
    note: '',
    files: [],
  }
  const open = async () => {
    const payment = await paid()
    await stand.press('dispute', payment.providerOrderId)
    const { data } = await stand.library.events.list({ type: 'charge.dispute.created', limit: 1 })
    return { ...payment, disputeRef: (data[0]!.data.object as { id: string }).id }
  }

  test('returns the state of a dispute until it is decided', async () => {
    const { disputeRef, providerCaptureId, providerOrderId } = await open()
    const disputes = stripe().disputes!
    expect(await disputes.find(disputeRef)).toMatchObject({
      kind: 'dispute',
      captureRef: providerCaptureId,
      amountCents: 1000,
      currency: 'USD',
      state: 'needs_evidence',
      reason: 'fraudulent',
      evidenceDueAt: expect.any(Date),
    })
    await stand.press('lose', providerOrderId)
    expect(await disputes.find(disputeRef)).toMatchObject({ state: 'lost' })
    expect(await disputes.find('du_0')).toEqual({ kind: 'gone' })
  })

  test('shows an inquiry to staff, holds no money and leaves the goods open', async () => {
    const { disputeRef, id } = await open()
    await shop.database.pool.query(
      `UPDATE sandbox.records SET body = (body::jsonb || '{"status": "warning_needs_response"}')::json WHERE kind = 'stripe_dispute' AND id = $1`,
      [disputeRef],
    )
    expect(await stripe().disputes!.find(disputeRef)).toMatchObject({ state: 'needs_evidence', stage: 'warning' })
    expect(id).toBeDefined()
  })

  test('retries a dispute or refund event that arrives before its payment', async () => {
    const [buyer, product] = [await shop.join(), await addProduct(shop)]
    const items = [{ productId: product.id, quantity: 1 }]
    const asked = { amount: '10.00', currency: 'USD' as const, intent: 'capture' as const, items }
    const { id: ref, orderId } = await buyer.call(startPayment, asked)
    await stand.press('approve', ref)
    await stand.press('dispute', ref)
    const { data } = await stand.library.events.list({ type: 'charge.dispute.created', limit: 1 })
    const { id: disputeRef, charge: captureRef } = data[0]!.data.object as { id: string; charge: string }
    const hear = () => handleDispute(shop.checkout, stripe(), { disputeRef })
    await expect(hear()).rejects.toThrow('not settled yet')
    const refund = { captureRef, refundRef: 're_0' }
    await expect(adoptRefund(shop.checkout, stripe(), refund)).rejects.toThrow('not settled yet')
    await buyer.call(settleReturn, { provider: 'stripe', ref })
    expect(await hear()).toBeNull()
    expect((await buyer.call(getOrder, { id: orderId })).dispute).toMatchObject({ state: 'open' })
  })

  test('sends files with the evidence', async () => {
    const { disputeRef } = await open()
    const file = { fileName: 'messages.pdf', contentType: 'application/pdf', bytes: new Uint8Array(300_000) }
    const files = [
      { ...file, shows: 'messages' as const },
      { ...file, shows: 'use' as const, fileName: 'use.png', contentType: 'image/png' },
    ]
    const id = crypto.randomUUID()
    expect(await stripe().disputes!.submit(disputeRef, { ...EVIDENCE, files, id })).toEqual({ kind: 'sent' })
    const { evidence } = await stand.library.disputes.retrieve(disputeRef)
    const stored = await shop.database.pool.query<{ body: object }>(
      `SELECT body FROM sandbox.records WHERE kind = 'stripe_file' AND id = ANY ($1) ORDER BY body->>'filename'`,
      [[evidence.customer_communication, evidence.service_documentation]],
    )
    expect(stored.rows.map(({ body }) => body)).toMatchObject([
      { purpose: 'dispute_evidence', filename: 'messages.pdf', size: 300_000, type: 'pdf' },
      { purpose: 'dispute_evidence', filename: 'use.png', size: 300_000, type: 'png' },
    ])
  })

  test('retries evidence while another request with its key is unfinished', async () => {
    const { disputeRef } = await open()
    const id = crypto.randomUUID()
    await shop.database.pool.query(
      `INSERT INTO sandbox.replays (request_id, path, status, body) VALUES ($1, '/sandbox/stripe', 500, 'another request')`,
      [id],
    )
    const { submit } = stripe().disputes!
    expect(await submit(disputeRef, { ...EVIDENCE, id })).toMatchObject({ kind: 'unknown' })
    await stand.forgetKeys()
    expect(await submit(disputeRef, { ...EVIDENCE, id })).toEqual({ kind: 'sent' })
  })

  test('names a file that Stripe refuses, with the reason', async () => {
    const { disputeRef } = await open()
    const file = { shows: 'use' as const, fileName: 'use.txt', contentType: 'text/plain', bytes: new Uint8Array(9) }
    const evidence = { ...EVIDENCE, files: [file], id: crypto.randomUUID() }
    expect(await stripe().disputes!.submit(disputeRef, evidence)).toEqual({
      kind: 'refused',
      reason: 'the file “use.txt”: Evidence is a PDF, PNG or JPEG of at most 5 MB',
    })
  })

  test('sends files to the host for files, with more time', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return Response.json({ id: 'file_1' })
    })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => {
      vi.unstubAllGlobals()
      timers.mockRestore()
    })
    const settings = { secretKey: 'sk_test_0', webhookSecret: 'whsec_0', mode: 'live' as const, publicUrl: shop.url }
    const file = {
      shows: 'use' as const,
      fileName: 'use.pdf',
      contentType: 'application/pdf',
      bytes: new Uint8Array(9),
    }
    const evidence = { ...EVIDENCE, files: [file], id: crypto.randomUUID() }
    expect(await createStripe(settings).disputes!.submit('du_1', evidence)).toEqual({ kind: 'sent' })
    expect(asked).toEqual(['https://files.stripe.com/v1/files', 'https://api.stripe.com/v1/disputes/du_1'])
    const limits = timers.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 8_000 || ms === 60_000)
    expect(limits).toEqual([60_000, 8_000])
  })

  test('sends evidence once', async () => {
    const { disputeRef } = await open()
    const { submit, find } = stripe().disputes!
    const bytes = new Uint8Array(70_001)
    const file = { shows: 'use' as const, fileName: 'use.pdf', contentType: 'application/pdf', bytes }
    const evidence = { ...EVIDENCE, files: [file], id: crypto.randomUUID() }
    const countFiles = async () => {
      const text = `SELECT FROM sandbox.records WHERE kind = 'stripe_file' AND (body->>'size')::int = 70001`
      return (await shop.database.pool.query(text)).rowCount
    }
    expect(await during('lost', () => submit(disputeRef, evidence))).toMatchObject({ kind: 'unknown' })
    expect(await submit(disputeRef, evidence)).toEqual({ kind: 'sent' })
    expect(await submit(disputeRef, evidence)).toEqual({ kind: 'sent' })
    expect(await countFiles()).toBe(1)
    await stand.forgetKeys()
    expect(await submit(disputeRef, evidence)).toEqual({ kind: 'sent' })
    expect(await submit(disputeRef, { ...EVIDENCE, id: crypto.randomUUID() })).toMatchObject({ kind: 'refused' })
    expect(await find(disputeRef)).toMatchObject({ state: 'under_review' })
    const { evidence: stored } = await stand.library.disputes.retrieve(disputeRef)
    expect(stored).toMatchObject({
      customer_name: 'Ada Okafor',
      customer_purchase_ip: '203.0.113.4',
      access_activity_log: EVIDENCE.deliveryLog.join('\n'),
      service_date: '2026-11-20',
    })
  })
})

test('reports the movements of a day', async () => {
  const payment = await paid()
  const { id } = await stand.library.refunds.create({ charge: payment.providerCaptureId, amount: 250 })
  const report = async (day: string) => {
    const answer = await stripe().report!(day)
    return answer.kind === 'lines' ? answer : null
  }
  const today = await report(new Date().toISOString().slice(0, 10))
  // 2.9 % and 30 cents
  expect(today?.fees).toContainEqual(expect.objectContaining({ amountCents: 59 }))
  expect(today?.lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'payment', ref: payment.providerCaptureId, amountCents: 1000, currency: 'USD' }),
      expect.objectContaining({ kind: 'refund', ref: id, amountCents: 250 }),
    ]),
  )
  expect(await report('2020-01-01')).toMatchObject({ lines: [], fees: [] })
})

describe('webhook event', () => {
  const BODY = JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed', data: { object: {} } })
  const readWith = (signature: string | undefined, body = BODY) =>
    stripe().readEvent({
      header: (name) => (name === 'stripe-signature' ? signature : undefined),
      body: Buffer.from(body),
      ip: '127.0.0.1',
    })
  const sign = (secondsAgo = 0, secret = stand.keys.webhookSecret) =>
    signEvent({ webhookSecret: secret }, BODY, new Date(Date.now() - secondsAgo * 1000))['stripe-signature']

  test('accepts a valid signature', async () => {
    expect(await readWith(sign())).toEqual({ id: 'evt_1', type: 'checkout.session.completed' })
    expect(await readWith(sign(290))).toMatchObject({ id: 'evt_1' })
  })

  test.each([
    ['tampered with', () => readWith(sign(), BODY.replace('evt_1', 'evt_2'))],
    ['older than 300 seconds', () => readWith(sign(302))],
    ['signed with another secret', () => readWith(sign(0, 'whsec_other'))],
    ['not signed', () => readWith(undefined)],
    ['signed with nonsense', () => readWith('t=1,v1=0')],
    ['signed by an older scheme', () => readWith(sign().replace('v1=', 'v0='))],
  ])('rejects an event as forged when it is %s', async (_, read) => {
    expect(await read()).toBe('forged')
  })

  const about = (object: object) => stripe().subjectOf(JSON.stringify({ data: { object } }))

  test('reads only the subject of an event, never its result', () => {
    expect(about({ object: 'checkout.session', id: 'cs_1', metadata: { payment_id: 'p' } })).toEqual({
      about: 'payment',
      ref: 'cs_1',
      captureRef: null,
      paymentId: 'p',
    })
    const saved = { payment_id: 'p', by: 'saved card' }
    expect(about({ object: 'payment_intent', id: 'pi_1', metadata: saved })).toMatchObject({
      ref: 'pi_1',
      paymentId: 'p',
    })
    expect(about({ object: 'payment_intent', id: 'pi_1', metadata: { payment_id: 'p' } })).toBeNull()
    expect(about({ object: 'refund', id: 're_1', charge: 'ch_1' })).toEqual({
      about: 'refund',
      refundRef: 're_1',
      captureRef: 'ch_1',
    })
    expect(about({ object: 'dispute', id: 'du_1', charge: 'ch_1' })).toMatchObject({ about: 'dispute' })
    expect([about({ object: 'customer', id: 'cus_1' }), stripe().subjectOf('{')]).toEqual([null, null])
  })

  test('accepts the signature of an event from the sandbox', async () => {
    const { eventId, answer } = await stripe().sendTestEvent!()
    expect([eventId, answer]).toEqual([expect.stringMatching(/^evt_/), '200'])
  })
})

test('tells refused credentials apart from an unreachable service', async () => {
  expect([await stripe().probe(), await stripe().saved!.probe()]).toEqual(['ready', 'ready'])
  expect(await clientAt(stand.base).probe()).toBe('refused')
  expect(await clientAt('http://127.0.0.1:9').probe()).toBe('away')
})
