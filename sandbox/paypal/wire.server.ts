import { readClockMs } from '../clock.server.ts'
import { amountOf, type Unit } from './forms.server.ts'

/** Without an id the payer is anonymous: responses contain no id, country or verification. */
export type Payer = { email: string; payerId?: string; country?: string; isVerified?: boolean }

export type Order = {
  id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  unit: Unit
  brand: string
  keep: boolean
  isKeeping: boolean
  isDeclining: boolean
  payer: Payer | null
  kept: { id: string } | null
  createTime: string
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
  disputedBy?: string | null
}

export type Refund = {
  id: string
  captureId: string
  cents: number
  currency: string
  totalRefundedCents: number
  customId: string | null
  invoiceId: string | null
  createTime: string
}

export type PaymentToken = { id: string; payer: Payer }

/** A wallet that is saved without a payment. `owner` is the shop's id of the payer. */
export type SetupToken = {
  id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  owner: string | null
  brand: string
  returnUrl: string
  cancelUrl: string
  createTime: string
}

// The buyer of all test payments. A payer id would make all members one person to the bonus and risk rules.
export const BUYER: Payer = { email: 'buyer@sandbox.example' }
const NAME = { given_name: 'Sandy', surname: 'Buyer' }

export const nowText = () => `${new Date(readClockMs()).toISOString().slice(0, 19)}Z`

const link = (href: string, rel: string, method = 'GET') => ({ href, rel, method })

export const payLink = (base: string, orderId: string, rel: string) => link(`${base}/checkoutnow?token=${orderId}`, rel)

function linksOf(base: string, { id, status }: Order) {
  const self = `${base}/v2/checkout/orders/${id}`
  return [
    link(self, 'self'),
    ...(status === 'PAYER_ACTION_REQUIRED' ? [payLink(base, id, 'payer-action')] : []),
    ...(status === 'APPROVED' ? [link(`${self}/capture`, 'capture', 'POST')] : []),
  ]
}

function describePayer({ email, payerId, country = 'US', isVerified = true }: Payer, keptId: string | undefined) {
  const address = { country_code: country }
  const person = { email_address: email, name: NAME }
  return {
    payment_source: {
      paypal: {
        ...person,
        ...(payerId && { account_id: payerId, account_status: isVerified ? 'VERIFIED' : 'UNVERIFIED', address }),
        ...(keptId && { attributes: { vault: { id: keptId, status: 'VAULTED' } } }),
      },
    },
    payer: { ...person, ...(payerId && { payer_id: payerId, address }) },
  }
}

export function showOrder(base: string, order: Order, captures: Capture[] = [], refunds: Refund[] = []) {
  const { id, status, unit, payer, kept, createTime } = order
  const payments = captures.length > 0 && {
    payments: {
      captures: captures.map((capture) => showCapture(base, capture)),
      ...(refunds.length > 0 && { refunds: refunds.map((refund) => showRefund(base, refund)) }),
    },
  }
  return {
    id,
    intent: 'CAPTURE',
    status,
    ...(payer ? describePayer(payer, kept?.id) : { payment_source: { paypal: {} } }),
    purchase_units: [{ ...unit, ...payments }],
    create_time: createTime,
    links: linksOf(base, order),
  }
}

export function showCapture(base: string, capture: Capture) {
  const { id, orderId, status, cents, currency, customId, invoiceId, createTime } = capture
  const self = `${base}/v2/payments/captures/${id}`
  return {
    id,
    status,
    amount: amountOf(cents, currency),
    final_capture: true,
    ...(customId && { custom_id: customId }),
    ...(invoiceId && { invoice_id: invoiceId }),
    create_time: createTime,
    supplementary_data: { related_ids: { order_id: orderId } },
    links: [
      link(self, 'self'),
      link(`${self}/refund`, 'refund', 'POST'),
      link(`${base}/v2/checkout/orders/${orderId}`, 'up'),
    ],
  }
}

export const showRefund = (
  base: string,
  { id, captureId, cents, currency, totalRefundedCents, customId, invoiceId, createTime }: Refund,
) => ({
  id,
  status: 'COMPLETED',
  amount: amountOf(cents, currency),
  seller_payable_breakdown: { total_refunded_amount: amountOf(totalRefundedCents, currency) },
  ...(customId && { custom_id: customId }),
  ...(invoiceId && { invoice_id: invoiceId }),
  create_time: createTime,
  links: [link(`${base}/v2/payments/refunds/${id}`, 'self'), link(`${base}/v2/payments/captures/${captureId}`, 'up')],
})

export const showSetupToken = (base: string, { id, status, owner }: SetupToken) => ({
  id,
  status,
  customer: { id: `customer_${id.slice(0, 10)}`, ...(owner && { merchant_customer_id: owner }) },
  payment_source: { paypal: { usage_type: 'MERCHANT' } },
  links: [
    link(`${base}/v3/vault/setup-tokens/${id}`, 'self'),
    ...(status === 'PAYER_ACTION_REQUIRED'
      ? [link(`${base}/agreements/approve?approval_session_id=${id}`, 'approve')]
      : []),
    ...(status === 'APPROVED' ? [link(`${base}/v3/vault/payment-tokens`, 'confirm', 'POST')] : []),
  ],
})

export const showPaymentToken = (base: string, { id, payer }: PaymentToken) => ({
  id,
  payment_source: describePayer(payer, undefined).payment_source,
  links: [
    link(`${base}/v3/vault/payment-tokens/${id}`, 'self'),
    link(`${base}/v3/vault/payment-tokens/${id}`, 'delete', 'DELETE'),
  ],
})
