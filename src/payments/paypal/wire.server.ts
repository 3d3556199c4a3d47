import { z } from 'zod'
import { toCents } from '../../kit/money.ts'
import { type ProviderCapture, type ProviderOrder, weightiest } from '../capture.rules.ts'
import { Unanswered } from './errors.server.ts'

// What the provider sends, read strictly where money depends on it and loosely elsewhere.

const Amount = z.object({ currency_code: z.string(), value: z.string() })

const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Amount,
  custom_id: z.string().optional(),
})

const Vault = z.object({ id: z.string().optional(), status: z.string().optional() })

const Order = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        payments: z.object({ captures: z.array(Capture).optional() }).optional(),
      }),
    )
    .optional(),
  payer: z
    .object({
      email_address: z.string().optional(),
      payer_id: z.string().optional(),
      address: z.object({ country_code: z.string().optional() }).optional(),
    })
    .optional(),
  payment_source: z
    .object({
      paypal: z
        .object({
          email_address: z.string().optional(),
          account_id: z.string().optional(),
          account_status: z.string().optional(),
          attributes: z.object({ vault: Vault.optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
})

export function readCapture(body: unknown): ProviderCapture {
  const capture = Capture.parse(body)
  return {
    id: capture.id,
    status: capture.status,
    amountCents: toCents(capture.amount.value),
    currency: capture.amount.currency_code,
    customId: capture.custom_id,
  }
}

export function readProviderOrder(body: unknown): ProviderOrder {
  const order = Order.parse(body)
  const unit = order.purchase_units?.[0]
  const capture = weightiest(unit?.payments?.captures ?? [])
  const wallet = order.payment_source?.paypal
  return {
    id: order.id,
    status: order.status,
    capture: capture ? { ...readCapture(capture), customId: capture.custom_id ?? unit?.custom_id } : null,
    payerId: order.payer?.payer_id ?? wallet?.account_id,
    payerEmail: order.payer?.email_address ?? wallet?.email_address,
    payer: {
      country: order.payer?.address?.country_code,
      isVerified: wallet?.account_status === undefined ? undefined : wallet.account_status === 'VERIFIED',
    },
    vaultId: wallet?.attributes?.vault?.id,
  }
}

export const Token = z.object({ access_token: z.string(), expires_in: z.number() })
export const Created = z.object({ id: z.string(), status: z.string() })
const RefundAnswer = z.object({
  id: z.string(),
  status: z.string(),
  amount: Amount.optional(),
  custom_id: z.string().optional(),
})

export type ProviderRefund = {
  id: string
  status: string
  amountCents: number | undefined
  customId: string | undefined
}

export const readRefund = (body: unknown): ProviderRefund => toRefund(RefundAnswer.parse(body))

const toRefund = (refund: z.infer<typeof RefundAnswer>): ProviderRefund => ({
  id: refund.id,
  status: refund.status,
  amountCents: refund.amount && toCents(refund.amount.value),
  customId: refund.custom_id,
})

const OrderRefunds = z.object({
  purchase_units: z.array(z.object({ payments: z.object({ refunds: z.array(RefundAnswer).optional() }).optional() })),
})

/** The refunds that an order shows. */
export const readOrderRefunds = (body: unknown): ProviderRefund[] =>
  OrderRefunds.parse(body).purchase_units.flatMap(({ payments }) => (payments?.refunds ?? []).map(toRefund))

export const EventPage = z.object({
  events: z.array(
    z.object({
      event_type: z.string(),
      resource: z.object({
        id: z.string().optional(),
        custom_id: z.string().optional(),
        supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }) }).optional(),
      }),
    }),
  ),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
})
const ErrorBody = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
})

/** The issue ('INSTRUMENT_DECLINED') or, without one, the name of an error body. */
export function readIssue(body: unknown): string {
  const error = ErrorBody.safeParse(body)
  return error.data?.details?.[0]?.issue ?? error.data?.name ?? 'UNKNOWN'
}

/** An answer that cannot be read is no answer. */
export function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Unanswered('the answer could not be read', { cause })
  }
}
