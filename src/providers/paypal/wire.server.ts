import { z } from 'zod'
import { cardLabel } from '../../payments/methods/cardLabel.rules.ts'
import { toCents } from '../../kit/money.ts'
import { type Outcome, type Payer, Unanswered } from '../../payments/outcome.ts'

// Parses PayPal's responses: strictly where money depends on them, loosely elsewhere.

const Amount = z.object({ currency_code: z.string(), value: z.string() })

export type Capture = z.infer<typeof Capture>
export const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: Amount,
  custom_id: z.string().optional(),
})

export type Refund = z.infer<typeof Refund>
export const Refund = z.object({
  id: z.string(),
  status: z.string(),
  amount: Amount.optional(),
  custom_id: z.string().optional(),
  /** `total_refunded_amount`: all refunds of the capture, including this one. */
  seller_payable_breakdown: z.object({ total_refunded_amount: Amount.optional() }).optional(),
})

export type Order = z.infer<typeof Order>
export const Order = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z
    .array(
      z.object({
        custom_id: z.string().optional(),
        payments: z.object({ captures: z.array(Capture).optional(), refunds: z.array(Refund).optional() }).optional(),
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
          attributes: z.object({ vault: z.object({ id: z.string().optional() }).optional() }).optional(),
        })
        .optional(),
      card: z.object({ brand: z.string().optional(), last_digits: z.string().optional() }).optional(),
    })
    .optional(),
})

const isDeclined = ({ status }: Pick<Capture, 'status'>) => status === 'DECLINED' || status === 'FAILED'

/** Returns the capture that counts of several: the last one that is not declined, otherwise the last one. */
export const weightiest = <C extends Pick<Capture, 'status'>>(captures: C[]): C | undefined =>
  captures.findLast((capture) => !isDeclined(capture)) ?? captures.at(-1)

export const UNKNOWN_PAYER: Payer = { id: null, country: null, isVerified: null }

export function payerOf({ payer, payment_source }: Order): Payer {
  const wallet = payment_source?.paypal
  const status = wallet?.account_status
  return {
    id: payer?.payer_id ?? wallet?.account_id ?? null,
    country: payer?.address?.country_code ?? null,
    isVerified: status === undefined ? null : status === 'VERIFIED',
  }
}

export function outcomeOf(order: Order): Outcome {
  const unit = order.purchase_units?.[0]
  const capture = weightiest(unit?.payments?.captures ?? [])
  if (!capture) return { kind: order.status === 'APPROVED' ? 'approved' : 'waiting', ref: order.id }
  const wallet = order.payment_source?.paypal
  const token = wallet?.attributes?.vault?.id
  const named = { ...capture, custom_id: capture.custom_id ?? unit?.custom_id }
  const card = order.payment_source?.card
  const outcome = {
    ...outcomeOfCapture(named, order.id, payerOf(order)),
    ...(card?.last_digits && { card: cardLabel(card.brand, card.last_digits) }),
  }
  if (outcome.kind !== 'captured' || !token) return outcome
  const label = order.payer?.email_address ?? wallet?.email_address ?? 'PayPal'
  return { ...outcome, saved: { token, label } }
}

export function outcomeOfCapture(capture: Capture, ref: string, payer = UNKNOWN_PAYER): Outcome {
  const { id: captureRef, status } = capture
  if (isDeclined(capture))
    return { kind: 'declined', ref, captureRef, reason: `capture ${status}`, canRetry: true, payer }
  // refunded captures were COMPLETED before, so the buyer paid the full amount
  if (!['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status)) return { kind: 'pending', ref }
  return {
    kind: 'captured',
    ref,
    captureRef,
    paymentId: capture.custom_id ?? null,
    amountCents: toCents(capture.amount.value),
    currency: capture.amount.currency_code,
    isReturned: status === 'REFUNDED',
    payer,
    saved: null,
  }
}

export const refundsOf = (order: Order): Refund[] =>
  (order.purchase_units ?? []).flatMap(({ payments }) => payments?.refunds ?? [])

export const Token = z.object({ access_token: z.string(), expires_in: z.number() })
export const Created = z.object({ id: z.string() })

export const Links = z.array(z.object({ rel: z.string(), href: z.string() })).optional()
const RelatedIds = z.object({ order_id: z.string().optional(), capture_id: z.string().optional() })
const Resource = z.object({
  id: z.string().optional(),
  custom_id: z.string().optional(),
  supplementary_data: z.object({ related_ids: RelatedIds }).optional(),
})

export const EventPage = z.object({ events: z.array(z.object({ resource: Resource })), links: Links })

export const EventHead = z.object({ id: z.string().min(1).max(200), event_type: z.string().max(100) })

export const Event = z.object({
  event_type: z.string().optional(),
  resource_type: z.string(),
  resource: Resource.extend({ id: z.string(), links: Links }),
})

const ErrorBody = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string() })).optional(),
})

export function readIssue(body: unknown): string {
  const error = ErrorBody.safeParse(body)
  return error.data?.details?.[0]?.issue ?? error.data?.name ?? 'UNKNOWN'
}

/** Throws Unanswered if the response cannot be parsed. */
export function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Unanswered('the answer could not be read', { cause })
  }
}
