import {
  type Charge,
  type Declined,
  type Outcome,
  type PaymentRef,
  type SeenRefund,
  Unanswered,
} from '../../payments/outcome.ts'
import type { Probed, Provider } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import { createClient, type Credentials } from './client.server.ts'
import { disputesAt } from './disputes.server.ts'
import { readEventHead, subjectOf } from './events.server.ts'
import { findLoggedCapture, LOGGED_MINUTES, readMissed } from './eventLog.server.ts'
import { amountOf, Refused, REPEAT_MINUTES } from './outcome.server.ts'
import { methodLabel, PAYPAL } from '../../payments/methods.ts'
import { payoutsAt } from './payouts.server.ts'
import { refundsAt } from './refunds.server.ts'
import { reportAt } from './report.server.ts'
import { setupsAt } from './setup.server.ts'
import { type CertificateFolder, createSignatureCheck } from './signature.server.ts'
import { Capture, Created, Order, outcomeOf, outcomeOfCapture, payerOf, read, UNKNOWN_PAYER } from './wire.server.ts'

// PayPal as a payment provider. It has no `close`, because PayPal cannot cancel an order. Money moves only when the
// shop captures, and the shop never captures a canceled payment.

export type PaypalOptions = Credentials &
  Pick<Provider, 'mode' | 'hosts' | 'sendTestEvent'> & {
    webhookId: string | undefined
    certificates: CertificateFolder[]
    scriptUrl: string
    storeName: string
    publicUrl: string
  }

const GONE = /^(RESOURCE_NOT_FOUND|INVALID_RESOURCE_ID|ORDER_EXPIRED)$/
const TAKEN_ALREADY = /^(ORDER_ALREADY_CAPTURED|DUPLICATE_INVOICE_ID)$/
const ORDERS = '/v2/checkout/orders'
const TOKENS = '/v3/vault/payment-tokens'

export function createPaypal(options: PaypalOptions): Provider {
  const client = createClient(options)
  const isGenuine = createSignatureCheck(options.certificates, options.webhookId)
  const parse = (body: unknown) => read(() => outcomeOf(Order.parse(body)))

  const readOrder = (ref: string) => client.find(`${ORDERS}/${encodeURIComponent(ref)}`, parse)

  async function readCapture({ id }: PaymentRef, { ref, captureRef }: SeenRefund): Promise<Outcome | null> {
    const capture =
      captureRef && (await client.find(`/v2/payments/captures/${encodeURIComponent(captureRef)}`, Capture.parse))
    if (!capture || (capture.custom_id ?? id) !== id) return null
    return read(() => outcomeOfCapture({ ...capture, custom_id: id }, ref))
  }

  async function createOrder(payment: Charge, isKeepable: boolean): Promise<string> {
    const source = {
      ...(isKeepable && {
        attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' } },
      }),
      experience_context: {
        brand_name: options.storeName,
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        return_url: `${options.publicUrl}/orders`,
        cancel_url: `${options.publicUrl}/cart`,
      },
    }
    const body = { intent: 'CAPTURE', purchase_units: [purchaseUnit(payment)], payment_source: { paypal: source } }
    try {
      const answer = await client.request('POST', ORDERS, body, `co-${isKeepable ? 'k-' : ''}${payment.id}`)
      return read(() => Created.parse(answer)).id
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // an account without the vault feature rejects saving the method, so create the order without it
      if (isKeepable) return createOrder(payment, false)
      throw new Unanswered(`no order was created: ${error.issue}`, { cause: error })
    }
  }

  async function explain({ issue }: Refused, ref: string): Promise<Outcome> {
    if (issue === 'ORDER_NOT_APPROVED') return { kind: 'waiting', ref }
    if (issue === 'ORDER_COMPLETION_IN_PROGRESS') return unclear(issue)
    if (GONE.test(issue)) return { kind: 'gone' }
    const order = await client.find(`${ORDERS}/${encodeURIComponent(ref)}`, Order.parse).catch(() => null)
    const shown = order && read(() => outcomeOf(order))
    // PayPal may show an order as captured before its capture appears: the result is unclear
    if (TAKEN_ALREADY.test(issue))
      return shown?.kind === 'captured' || shown?.kind === 'pending' ? shown : unclear(issue)
    const captureRef = shown?.kind === 'declined' ? shown.captureRef : null
    // the refusal does not name the payer, but the order does
    return { ...declined(issue), ref, captureRef, payer: order ? payerOf(order) : UNKNOWN_PAYER }
  }

  async function capture({ id, providerOrderId, declines }: PaymentRef): Promise<Outcome> {
    const path = `${ORDERS}/${encodeURIComponent(providerOrderId!)}/capture`
    try {
      const outcome = parse(await client.request('POST', path, {}, `cap-${id}-${declines}`))
      return outcome.kind === 'waiting' ? unclear('a capture was answered without one') : outcome
    } catch (error) {
      if (error instanceof Refused) return explain(error, providerOrderId!)
      throw error
    }
  }

  async function charge(payment: Charge, token: string): Promise<Outcome> {
    const isFirst = payment.sentMinutes === null
    if (!isFirst && payment.ageMinutes >= REPEAT_MINUTES) return findCharge(payment, 'not to be repeated')
    const source = { paypal: { vault_id: token } }
    const body = { intent: 'CAPTURE', purchase_units: [purchaseUnit(payment)], payment_source: source }
    try {
      return parse(await client.request('POST', ORDERS, body, `one-${payment.id}`))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (!isFirst) return findCharge(payment, error.issue)
      const isUnclear = TAKEN_ALREADY.test(error.issue) || error.issue === 'ORDER_COMPLETION_IN_PROGRESS'
      return isUnclear ? unclear(error.issue) : declined(error.issue)
    }
  }

  /** Finds a charge whose response was lost. A rejected repeat proves nothing, but the event log does. */
  async function findCharge(payment: PaymentRef, refusal: string): Promise<Outcome> {
    const found = await findLoggedCapture(client, payment.id, payment.ageMinutes)
    if (found) {
      const { ref, captureRef } = found
      const shown = ref && ((await readOrder(ref)) ?? (await readCapture(payment, { ref, captureRef })))
      return shown || unclear('a capture in the event log cannot be read')
    }
    if (refusal === 'DUPLICATE_INVOICE_ID' || payment.ageMinutes < LOGGED_MINUTES)
      return unclear(`a charge is in no event and its repeat was refused: ${refusal}`)
    return declined(refusal)
  }

  async function find(payment: PaymentRef, seen?: SeenRefund): Promise<Outcome> {
    const { id, amountCents, currency, providerCaptureId: taken, sentMinutes, ageMinutes } = payment
    const ref = seen?.ref ?? payment.providerOrderId
    if (!ref) return findCharge(payment, 'not to be repeated')
    const order = await readOrder(ref)
    const isTaken = taken !== null && sentMinutes !== null
    const isHidden = !order || (isTaken && (order.kind === 'waiting' || order.kind === 'approved'))
    if (!isHidden) return order
    if (isTaken) {
      // a verified capture stays captured even if PayPal deletes the order and the capture
      const verified = { id: taken, status: 'COMPLETED', amount: { ...amountOf(amountCents), currency_code: currency } }
      return (
        (await readCapture(payment, { ref, captureRef: taken })) ??
        outcomeOfCapture({ ...verified, custom_id: id }, ref)
      )
    }
    const told = seen && (await readCapture(payment, { ...seen, ref }))
    if (told) return told
    if (sentMinutes === null) return { kind: 'gone' }
    const found = await findLoggedCapture(client, id, ageMinutes)
    if (found) {
      const { captureRef } = found
      return (await readCapture(payment, { ref, captureRef })) ?? unclear('a capture in the event log cannot be read')
    }
    if (sentMinutes < LOGGED_MINUTES) return unclear('the order of a capture is unknown, and the event log may lag')
    return { kind: 'gone' }
  }

  return {
    name: PAYPAL,
    label: methodLabel(PAYPAL),
    hint: 'A PayPal window opens.',
    step: 'window',
    mode: options.mode,
    // source: paypal.com/us/business/paypal-business-fees, PayPal Checkout
    cost: { basisPoints: 349, fixedCents: 49 },
    credentials: 'PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET',
    hosts: options.hosts,
    ...(options.sendTestEvent && { sendTestEvent: options.sendTestEvent }),
    canVerifyEvents: options.webhookId !== undefined,
    identifiesPayer: true,

    setup: async () => {
      const { access_token, expires_in } = await fetchClientToken().catch((error: unknown) => {
        throw error instanceof Refused ? new Unanswered(error.message, { cause: error }) : error
      })
      const expiresAt = new Date(Date.now() + expires_in * 1000)
      return { clientToken: access_token, expiresAt, scriptUrl: options.scriptUrl }
    },
    start: async ({ isKeepable, ...payment }) => ({
      ref: payment.providerOrderId ?? (await createOrder(payment, isKeepable)),
      next: { kind: 'window' },
    }),
    capture: (payment) => orUnknown(capture(payment)),
    find: (payment, seen) => orUnknown(find(payment, seen)),
    saved: {
      charge: (payment, token) => orUnknown(charge(payment, token)),
      forget: async (token) => {
        await client.find(`${TOKENS}/${encodeURIComponent(token)}`, () => null, 'DELETE')
      },
      adds: setupsAt(client, options, TOKENS),
      // the vault works if it returns 404 for an unknown token
      probe: () => probe(() => client.find(`${TOKENS}/0probe0`, () => null)),
    },
    ...refundsAt(client),
    payOut: payoutsAt(client, options.storeName),
    report: reportAt(client),
    disputes: disputesAt(client),
    missed: (since) => readMissed(client, since),

    readEvent: async (request) => {
      const head = readEventHead(request.body)
      if (!head || !(await isGenuine(request))) return 'forged'
      return head
    },
    subjectOf,
    probe: () => probe(fetchClientToken),
  }

  function fetchClientToken() {
    return client.fetchToken({ response_type: 'client_token', intent: 'sdk_init' })
  }
}

const declined = (reason: string): Declined => ({
  kind: 'declined',
  ref: null,
  captureRef: null,
  reason,
  canRetry: true,
  payer: UNKNOWN_PAYER,
})

async function probe(ask: () => Promise<unknown>): Promise<Probed> {
  try {
    await ask()
    return 'ready'
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unanswered)) throw error
    // PayPal returns 401 for bad credentials, and the client throws Unanswered for it
    return error instanceof Refused ? 'refused' : 'away'
  }
}

const isPriced = ({ priceCents }: Charge['lines'][number]) => priceCents > 0

function purchaseUnit({ id, amountCents, lines }: Charge) {
  const itemCents = lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0)
  // PayPal requires that items minus discount equal the amount: store credit is sent as a discount
  const discount = itemCents > amountCents && { discount: amountOf(itemCents - amountCents) }
  return {
    reference_id: 'default',
    custom_id: id,
    invoice_id: id,
    description: 'Digital goods',
    amount: { ...amountOf(amountCents), breakdown: { item_total: amountOf(itemCents), ...discount } },
    items: lines.filter(isPriced).map((line) => ({
      // cuts between characters, so no emoji is split
      name: [...line.title].slice(0, 127).join(''),
      sku: line.productId,
      quantity: String(line.quantity),
      category: 'DIGITAL_GOODS',
      unit_amount: amountOf(line.priceCents),
    })),
  }
}
