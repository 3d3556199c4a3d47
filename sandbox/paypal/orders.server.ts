import { Failure } from '../../src/kit/failure.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import type { FaultKind } from '../faults.contract.ts'
import { createId, type Entry, type Reader, readEntry, readOrderEntries, writeEffects } from '../store.server.ts'
import { readClockMs } from '../clock.server.ts'
import { type Call, callsOf, type Outcome, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { centsOf, checkSums, OrderRequest, readForm } from './forms.server.ts'
import { describeRefusal, notFound, refusalFor } from './refusals.server.ts'
import {
  BUYER,
  type Capture,
  nowText,
  type Order,
  payLink,
  type Payer,
  type PaymentToken,
  type Refund,
  showCapture,
  showOrder,
  showPaymentToken,
} from './wire.server.ts'

const LIFE_MS = 3 * 3_600_000

export const isAlive = (order: Order | undefined): order is Order =>
  order !== undefined && (order.status === 'COMPLETED' || Date.parse(order.createTime) > readClockMs() - LIFE_MS)

const orderEntry = (order: Order): Entry => ({ kind: 'order', id: order.id, orderId: order.id, body: order })
const captureEntry = (capture: Capture): Entry => ({
  kind: 'capture',
  id: capture.id,
  orderId: capture.orderId,
  body: capture,
})

const PAYING: FaultKind[] = ['amount', 'decline']

export function orderRoutes(sandbox: Sandbox): RawRoute[] {
  const { read, write } = callsOf(sandbox)
  return [
    write(
      'POST /v2/checkout/orders',
      'Creates an order. With a saved wallet, takes the money too.',
      { faults: PAYING, locks: false },
      async (call, client) => {
        const request = readForm(OrderRequest, call.body)
        checkSums(request.purchase_units[0])
        const order = orderOf(sandbox, request)
        const walletId = request.payment_source.paypal.vault_id
        if (walletId) return chargeWallet(sandbox, call, client, order, walletId)
        return { status: 201, body: showOrder(sandbox.base, order), entries: [orderEntry(order)] }
      },
    ),

    read('GET /v2/checkout/orders/:id', 'An order with its captures and refunds.', async ({ params }) => {
      const entries = await readOrderEntries(sandbox.pool, params.id)
      const bodies = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ body }) => body)
      const order = bodies('order')[0] as Order | undefined
      const captures = (bodies('capture') as Capture[]).filter(({ status }) => status !== 'DECLINED')
      return isAlive(order) ? showOrder(sandbox.base, order, captures, bodies('refund') as Refund[]) : null
    }),

    write(
      'POST /v2/checkout/orders/:id/capture',
      'Takes the money of an approved order, once.',
      { faults: PAYING, locks: false },
      async (call, client) => {
        const order = await readEntry<Order>(client, 'order', call.params.id)
        if (!isAlive(order)) throw notFound()
        if (order.status === 'COMPLETED') throw refusalFor('ORDER_ALREADY_CAPTURED')
        if (order.status !== 'APPROVED') throw refusalFor('ORDER_NOT_APPROVED')
        if (order.isDeclining || call.fault === 'decline') return decline(sandbox, call, order)
        return capture(sandbox, call, order)
      },
    ),
  ]
}

function orderOf(sandbox: Sandbox, { purchase_units: [unit], payment_source: { paypal } }: OrderRequest): Order {
  return {
    id: createId(),
    status: 'PAYER_ACTION_REQUIRED',
    unit,
    brand: paypal.experience_context?.brand_name ?? sandbox.storeName,
    keep: paypal.attributes !== undefined,
    isKeeping: false,
    isDeclining: false,
    payer: null,
    kept: null,
    createTime: nowText(),
  }
}

async function chargeWallet(sandbox: Sandbox, call: Call, client: Reader, order: Order, walletId: string) {
  if (!call.requestId) throw refusalFor('PAYPAL_REQUEST_ID_REQUIRED', { location: 'header' })
  const token = await readEntry<PaymentToken>(client, 'payment_token', walletId)
  if (!token) throw refusalFor('TOKEN_ID_NOT_FOUND', { field: '/payment_source/paypal/vault_id', location: 'body' })
  if (call.fault === 'decline') throw refusalFor('INSTRUMENT_DECLINED')
  return capture(sandbox, call, { ...order, payer: token.payer, kept: { id: token.id } })
}

const captureOf = ({ id, unit }: Order, status: 'COMPLETED' | 'DECLINED', cents: number): Capture => ({
  id: createId(),
  orderId: id,
  status,
  cents,
  currency: unit.amount.currency_code,
  refundedCents: 0,
  customId: unit.custom_id ?? null,
  invoiceId: unit.invoice_id ?? null,
  createTime: nowText(),
})

function capture(sandbox: Sandbox, { fault }: Call, approved: Order): Outcome {
  const { base } = sandbox
  const cents = centsOf(approved.unit.amount)
  const token: PaymentToken | null = approved.isKeeping
    ? { id: createId(8).toLowerCase(), payer: approved.payer ?? BUYER }
    : null
  const order: Order = { ...approved, status: 'COMPLETED', kept: token ? { id: token.id } : approved.kept }
  // The fault captures a cent less than the order's amount. An order of one cent captures two.
  const taken = captureOf(order, 'COMPLETED', fault === 'amount' ? Math.max(cents - 1, 2) : cents)
  return {
    status: 201,
    body: showOrder(base, order, [taken]),
    entries: [
      orderEntry(order),
      captureEntry(taken),
      ...(token ? [{ kind: 'payment_token', id: token.id, body: token }] : []),
    ],
    events: [
      createEvent(sandbox, 'PAYMENT.CAPTURE.COMPLETED', showCapture(base, taken)),
      ...(token ? [createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.CREATED', showPaymentToken(base, token))] : []),
    ],
  }
}

/** The order stays approved, so that the payer can try another instrument. */
function decline(sandbox: Sandbox, { debugId }: Call, order: Order): Outcome {
  const { base } = sandbox
  const declined = captureOf(order, 'DECLINED', centsOf(order.unit.amount))
  return {
    status: 422,
    body: describeRefusal(refusalFor('INSTRUMENT_DECLINED'), debugId, [payLink(base, order.id, 'redirect')]),
    entries: [captureEntry(declined)],
    events: [createEvent(sandbox, 'PAYMENT.CAPTURE.DENIED', showCapture(base, declined))],
  }
}

export type Choice = 'pay' | 'decline' | 'cancel'

/** `isKeeping`: the payer agrees to save the wallet. Throws 404 for an unknown order and 409 for a paid one. */
export async function choose(
  sandbox: Sandbox,
  id: string,
  choice: Choice,
  { isKeeping, payer = BUYER }: { isKeeping: boolean; payer?: Payer },
) {
  const { pool } = sandbox
  const order = await readEntry<Order>(pool, 'order', id)
  if (!isAlive(order)) throw new Failure(404, 'This payment is not known, or it has expired.')
  if (order.status === 'COMPLETED') throw new Failure(409, 'This payment is complete already.')
  if (choice === 'cancel') return
  const approved: Order = {
    ...order,
    status: 'APPROVED',
    payer,
    isDeclining: choice === 'decline',
    isKeeping: isKeeping && Boolean(order.keep),
  }
  const isChanged = order.status !== 'APPROVED' || order.isDeclining !== approved.isDeclining
  const event = () => createEvent(sandbox, 'CHECKOUT.ORDER.APPROVED', showOrder(sandbox.base, approved))
  await writeEffects(pool, [orderEntry(approved)], isChanged ? [event()] : [])
  sandbox.wakeDeliveries()
}
