import { toDecimal } from '../../src/kit/money.ts'
import { amountOf, type Unit } from './order.rules.ts'

// What the books hold, and how the provider shows it.

/** Without an id the payer is anonymous: the wire then carries no id, country or verification. */
export type Payer = { email: string; payerId?: string; country?: string; isVerified?: boolean }

export type Order = {
  id: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  unit: Unit
  brand: string
  returnUrl: string | null
  cancelUrl: string | null
  /** Set when the shop asked to keep the payer's wallet. */
  keep: { customerId: string | null } | null
  /** The payer agreed to that. */
  isKeeping: boolean
  /** The payer's instrument will be declined. */
  isDeclining: boolean
  payer: Payer | null
  kept: { id: string; customerId: string } | null
  createTime: string
  updateTime: string
}

export type Capture = {
  id: string
  orderId: string
  status: 'COMPLETED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DECLINED'
  cents: number
  currency: string
  refundedCents: number
  customId: string | null
  invoiceId: string | null
  createTime: string
  updateTime: string
}

export type Refund = {
  id: string
  captureId: string
  orderId: string
  cents: number
  currency: string
  /** Of the capture, this refund included. */
  totalRefundedCents: number
  customId: string | null
  invoiceId: string | null
  note: string | null
  createTime: string
}

export type SetupToken = {
  id: string
  customerId: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  brand: string
  returnUrl: string | null
  cancelUrl: string | null
  createTime: string
}

export type PaymentToken = { id: string; customerId: string; payer: Payer; createTime: string }

// All rehearsals pay as this buyer. An id would make members look like one person to the shop's bonus and risk rules.
export const BUYER: Payer = { email: 'buyer@sandbox.example' }
const NAME = { given_name: 'Sandy', surname: 'Buyer' }
const PAYEE = { email_address: 'merchant@sandbox.example', merchant_id: 'SANDBOXSHOP01' }
const addressOf = ({ country = 'US' }: Payer) => ({ country_code: country })

/** The provider's time: seconds, UTC. */
export const nowText = () => `${new Date().toISOString().slice(0, 19)}Z`

const link = (href: string, rel: string, method = 'GET') => ({ href, rel, method })

export const payLink = (base: string, orderId: string) => `${base}/checkoutnow?token=${orderId}`

// --- orders

export function linksOf(base: string, { id, status }: Order, hasSource: boolean) {
  const self = `${base}/v2/checkout/orders/${id}`
  const isWaiting = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED'
  return [
    link(self, 'self'),
    ...(isWaiting ? [link(payLink(base, id), hasSource ? 'payer-action' : 'approve')] : []),
    ...(status === 'APPROVED' ? [link(`${self}/capture`, 'capture', 'POST')] : []),
  ]
}

const payerOf = (payer: Payer) => ({
  name: NAME,
  email_address: payer.email,
  ...(payer.payerId && { payer_id: payer.payerId, address: addressOf(payer) }),
})

function sourceOf(base: string, { payer, keep, kept }: Order) {
  if (!payer) return { paypal: {} }
  const attributes = kept
    ? {
        vault: {
          id: kept.id,
          status: 'VAULTED',
          customer: { id: kept.customerId },
          links: tokenLinks(base, kept.id),
        },
      }
    : keep
      ? { vault: { status: 'APPROVED', ...(keep.customerId && { customer: { id: keep.customerId } }) } }
      : undefined
  return {
    paypal: {
      email_address: payer.email,
      name: NAME,
      ...(payer.payerId && {
        account_id: payer.payerId,
        account_status: payer.isVerified === false ? 'UNVERIFIED' : 'VERIFIED',
        address: addressOf(payer),
      }),
      ...(attributes && { attributes }),
    },
  }
}

/** The order as GET shows it, and as its events carry it. */
export function showOrder(base: string, order: Order, captures: Capture[], refunds: Refund[], isFull = true) {
  const { unit, status, payer } = order
  const hasSource = status !== 'CREATED'
  const payments = captures.length > 0 && {
    payments: {
      captures: captures.map((capture) => showCapture(base, capture)),
      ...(refunds.length > 0 && { refunds: refunds.map((refund) => showRefund(base, refund)) }),
    },
  }
  const shown = isFull ? { ...unit, payee: PAYEE, ...payments } : { reference_id: unit.reference_id, ...payments }
  return {
    id: order.id,
    ...(isFull && { intent: 'CAPTURE' }),
    status,
    ...(hasSource && { payment_source: sourceOf(base, order) }),
    purchase_units: [shown],
    ...(payer && { payer: payerOf(payer) }),
    ...(isFull && { create_time: order.createTime, update_time: order.updateTime }),
    links: linksOf(base, order, hasSource),
  }
}

// --- captures and refunds

const FEE_BASIS_POINTS = 349
const FEE_FIXED_CENTS = 49
const feeOf = (cents: number) => Math.min(cents, Math.round((cents * FEE_BASIS_POINTS) / 10_000) + FEE_FIXED_CENTS)

export function showCapture(base: string, capture: Capture) {
  const { id, orderId, cents, currency, customId, invoiceId } = capture
  const self = `${base}/v2/payments/captures/${id}`
  const fee = feeOf(cents)
  return {
    id,
    status: capture.status,
    amount: amountOf(cents, currency),
    final_capture: true,
    seller_protection: { status: 'NOT_ELIGIBLE' },
    ...(capture.status !== 'DECLINED' && {
      seller_receivable_breakdown: {
        gross_amount: amountOf(cents, currency),
        paypal_fee: amountOf(fee, currency),
        net_amount: amountOf(cents - fee, currency),
      },
    }),
    ...(customId && { custom_id: customId }),
    ...(invoiceId && { invoice_id: invoiceId }),
    create_time: capture.createTime,
    update_time: capture.updateTime,
    links: [
      link(self, 'self'),
      link(`${self}/refund`, 'refund', 'POST'),
      link(`${base}/v2/checkout/orders/${orderId}`, 'up'),
    ],
  }
}

/** A capture by itself also says which order it is of. */
export const showCaptureAlone = (base: string, capture: Capture) => ({
  ...showCapture(base, capture),
  supplementary_data: { related_ids: { order_id: capture.orderId } },
})

export function showRefund(base: string, refund: Refund, isFull = true) {
  const { id, captureId, cents, currency, totalRefundedCents, customId, invoiceId, note } = refund
  return {
    id,
    status: 'COMPLETED',
    ...(isFull && {
      amount: amountOf(cents, currency),
      seller_payable_breakdown: {
        gross_amount: amountOf(cents, currency),
        paypal_fee: amountOf(0, currency),
        net_amount: amountOf(cents, currency),
        total_refunded_amount: amountOf(totalRefundedCents, currency),
      },
      ...(customId && { custom_id: customId }),
      ...(invoiceId && { invoice_id: invoiceId }),
      ...(note && { note_to_payer: note }),
      create_time: refund.createTime,
      update_time: refund.createTime,
    }),
    links: [link(`${base}/v2/payments/refunds/${id}`, 'self'), link(`${base}/v2/payments/captures/${captureId}`, 'up')],
  }
}

// --- saved wallets

const tokenLinks = (base: string, id: string) => [
  link(`${base}/v3/vault/payment-tokens/${id}`, 'self'),
  link(`${base}/v3/vault/payment-tokens/${id}`, 'delete', 'DELETE'),
]

export const showPaymentToken = (base: string, { id, customerId, payer }: PaymentToken) => ({
  id,
  customer: { id: customerId },
  payment_source: {
    paypal: {
      email_address: payer.email,
      ...(payer.payerId && { account_id: payer.payerId, payer_id: payer.payerId }),
      name: NAME,
      usage_type: 'MERCHANT',
      customer_type: 'CONSUMER',
    },
  },
  links: tokenLinks(base, id),
})

export function showSetupToken(base: string, { id, customerId, status }: SetupToken) {
  const self = `${base}/v3/vault/setup-tokens/${id}`
  return {
    id,
    customer: { id: customerId },
    status,
    payment_source: { paypal: { usage_type: 'MERCHANT', customer_type: 'CONSUMER' } },
    links: [
      ...(status === 'PAYER_ACTION_REQUIRED'
        ? [link(`${base}/agreements/approve?approval_session_id=${id}`, 'approve')]
        : []),
      link(self, 'self'),
    ],
  }
}

/** '$44.99', or '44.99 EUR'. */
export const priceText = (cents: number, currency: string) =>
  currency === 'USD' ? `$${toDecimal(cents)}` : `${toDecimal(cents)} ${currency}`
