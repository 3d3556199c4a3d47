import type { RawRoute } from '../../src/kit/handle.server.ts'
import { type Client, createId, type Entry, lockEntry, readEntry, readOrderEntries } from './store.server.ts'
import { type Call, type Outcome, type Sandbox, sandboxRead, sandboxWrite } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { amountOf, centsOf, checkSums, OrderRequest, readForm, type Unit } from './order.rules.ts'
import { describeRefusal, notFound, refusalFor } from './refusal.ts'
import {
  BUYER,
  type Capture,
  linksOf,
  nowText,
  type Order,
  payLink,
  type Payer,
  type PaymentToken,
  type Refund,
  showCaptureAlone,
  showOrder,
  showPaymentToken,
} from './wire.server.ts'

const LIFE_MS = 3 * 3_600_000

/** An order that nobody paid is forgotten after three hours. */
export const isAlive = (order: Order | undefined): order is Order =>
  order !== undefined && (order.status === 'COMPLETED' || Date.parse(order.createTime) > Date.now() - LIFE_MS)

const entryOf = (order: Order): Entry => ({ kind: 'order', id: order.id, orderId: order.id, body: order })

export function orderRoutes(sandbox: Sandbox): RawRoute[] {
  return [
    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v2/checkout/orders',
      { about: 'Creates an order; with a saved wallet, takes the money too.', faults: ['amount', 'decline'] },
      async (call, client) => {
        const request = readForm(OrderRequest, call.body)
        checkSums(request.purchase_units)
        const tokenId = request.payment_source?.paypal?.vault_id ?? request.payment_source?.token?.id
        if (tokenId) return chargeSaved(sandbox, call, client, orderOf(sandbox, request), tokenId)
        const order = orderOf(sandbox, request)
        const base = sandbox.base
        const links = linksOf(base, order, order.status !== 'CREATED')
        return {
          status: 201,
          body: call.isFull ? showOrder(base, order, [], []) : { id: order.id, status: order.status, links },
          entries: [entryOf(order)],
        }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v2/checkout/orders/:id',
      { about: 'An order with what was taken and given back.' },
      async ({ params }) => {
        const entries = await readOrderEntries(sandbox.pool, params.id!)
        const bodies = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ body }) => body)
        const order = bodies('order')[0] as Order | undefined
        if (!isAlive(order)) throw notFound()
        const captures = (bodies('capture') as Capture[]).filter(({ status }) => status !== 'DECLINED')
        return { status: 200, body: showOrder(sandbox.base, order, captures, bodies('refund') as Refund[]) }
      },
    ),

    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v2/checkout/orders/:id/capture',
      { about: 'Takes the money of an approved order, once.', faults: ['amount', 'decline'] },
      async (call, client) => {
        const order = await lockEntry<Order>(client, 'order', call.params.id!)
        if (!isAlive(order)) throw notFound()
        if (order.status === 'COMPLETED') throw refusalFor('ORDER_ALREADY_CAPTURED')
        if (order.status !== 'APPROVED') throw refusalFor('ORDER_NOT_APPROVED')
        if (order.isDeclining || call.fault === 'decline') return decline(sandbox, call, order)
        return capture(sandbox, call, order)
      },
    ),
  ]
}

function orderOf(sandbox: Sandbox, request: OrderRequest): Order {
  const wallet = request.payment_source?.paypal
  const context = wallet?.experience_context ?? request.application_context
  const now = nowText()
  return {
    id: createId(),
    status: wallet ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    unit: normalised(request.purchase_units[0]!),
    brand: context?.brand_name ?? sandbox.storeName,
    returnUrl: context?.return_url ?? null,
    cancelUrl: context?.cancel_url ?? null,
    keep: wallet?.attributes?.vault ? { customerId: wallet.attributes.customer?.id ?? null } : null,
    isKeeping: false,
    isDeclining: false,
    payer: null,
    kept: null,
    createTime: now,
    updateTime: now,
  }
}

/** '44.9' is shown as '44.90' from then on. */
function normalised({ amount, ...unit }: Unit): Unit {
  return { ...unit, amount: { ...amount, ...amountOf(centsOf(amount), amount.currency_code) } }
}

/** Creates and captures in one step. */
async function chargeSaved(
  sandbox: Sandbox,
  call: Call,
  client: Client,
  order: Order,
  tokenId: string,
): Promise<Outcome> {
  if (!call.header('paypal-request-id')) throw refusalFor('PAYPAL_REQUEST_ID_REQUIRED', { location: 'header' })
  const token = await readEntry<PaymentToken>(client, 'payment_token', tokenId)
  if (!token) throw refusalFor('TOKEN_ID_NOT_FOUND', { field: '/payment_source/paypal/vault_id', location: 'body' })
  // what is refused in one step leaves no order behind
  if (call.fault === 'decline') throw refusalFor('INSTRUMENT_DECLINED')
  const kept = { id: token.id, customerId: token.customerId }
  return capture(sandbox, call, { ...order, payer: token.payer, kept })
}

function captureOf({ id, unit }: Order, status: 'COMPLETED' | 'DECLINED', cents: number): Capture {
  const now = nowText()
  return {
    id: createId(),
    orderId: id,
    status,
    cents,
    currency: unit.amount.currency_code,
    refundedCents: 0,
    customId: unit.custom_id ?? null,
    invoiceId: unit.invoice_id ?? null,
    createTime: now,
    updateTime: now,
  }
}

function capture(sandbox: Sandbox, call: Call, approved: Order): Outcome {
  const base = sandbox.base
  const cents = centsOf(approved.unit.amount)
  const token =
    approved.isKeeping && approved.keep ? keptToken(approved.keep.customerId, approved.payer ?? BUYER) : null
  const order: Order = {
    ...approved,
    status: 'COMPLETED',
    updateTime: nowText(),
    kept: token ? { id: token.id, customerId: token.customerId } : approved.kept,
  }
  // the fault takes a cent less than was ordered, or one more when there is only one
  const taken = captureOf(order, 'COMPLETED', call.fault === 'amount' ? Math.max(cents - 1, 2) : cents)
  return {
    status: 201,
    body: showOrder(base, order, [taken], [], call.isFull),
    entries: [
      entryOf(order),
      { kind: 'capture', id: taken.id, orderId: order.id, body: taken },
      ...(token ? [{ kind: 'payment_token' as const, id: token.id, body: token }] : []),
    ],
    events: [
      createEvent(sandbox, 'PAYMENT.CAPTURE.COMPLETED', showCaptureAlone(base, taken)),
      ...(token ? [createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.CREATED', showPaymentToken(base, token))] : []),
    ],
  }
}

const keptToken = (customerId: string | null, payer: Payer): PaymentToken => ({
  id: createId(8).toLowerCase(),
  customerId: customerId ?? `customer_${createId(10)}`,
  payer,
  createTime: nowText(),
})

/** The order stays approved: the payer may approve it anew with another instrument. */
function decline(sandbox: Sandbox, call: Call, order: Order): Outcome {
  const base = sandbox.base
  const declined = captureOf(order, 'DECLINED', centsOf(order.unit.amount))
  const again = { href: payLink(base, order.id), rel: 'redirect', method: 'GET' }
  return {
    status: 422,
    body: describeRefusal(refusalFor('INSTRUMENT_DECLINED'), call.debugId, [again]),
    entries: [{ kind: 'capture', id: declined.id, orderId: order.id, body: declined }],
    events: [createEvent(sandbox, 'PAYMENT.CAPTURE.DENIED', showCaptureAlone(base, declined))],
  }
}

export type Choice = 'pay' | 'decline' | 'cancel'

/**
 * The payer's choice, from the window or a test's door. Answers the order, or undefined when there is none. `isKeeping`:
 * the payer agrees that the shop keeps the wallet, if it asked.
 */
export async function choose(
  sandbox: Sandbox,
  client: Client,
  id: string,
  choice: Choice,
  isKeeping: boolean,
  payer: Payer = BUYER,
) {
  const order = await lockEntry<Order>(client, 'order', id)
  if (!isAlive(order)) return undefined
  if (order.status === 'COMPLETED' || choice === 'cancel') return { order, entries: [], events: [] }
  const approved: Order = {
    ...order,
    status: 'APPROVED',
    payer,
    isDeclining: choice === 'decline',
    isKeeping: isKeeping && order.keep !== null,
    updateTime: nowText(),
  }
  const isNews = order.status !== 'APPROVED' || order.isDeclining !== approved.isDeclining
  return {
    order: approved,
    entries: [entryOf(approved)],
    events: isNews ? [createEvent(sandbox, 'CHECKOUT.ORDER.APPROVED', showOrder(sandbox.base, approved, [], []))] : [],
  }
}
