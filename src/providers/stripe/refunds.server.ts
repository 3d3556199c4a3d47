import type Stripe from 'stripe'
import type { FoundRefund, RefundOutcome, RefundRef } from '../../payments/outcome.ts'
import type { Provider } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import { type Client, KEY_REUSED, Refused, REPEAT_MINUTES } from './client.server.ts'
import { required } from '../../kit/values/required.ts'

/** Maps Stripe's reasons to the codes of aftersale/refunds/refusal.rules.ts. */
const REASONS: Record<string, string> = {
  charge_already_refunded: 'CAPTURE_FULLY_REFUNDED',
  charge_disputed: 'TRANSACTION_DISPUTED',
  insufficient_funds: 'REFUND_FAILED_INSUFFICIENT_FUNDS',
  balance_insufficient: 'REFUND_FAILED_INSUFFICIENT_FUNDS',
}

export function refundsAt({ ask, find }: Client): Pick<Provider, 'refund' | 'findRefund'> {
  async function send({ id, amountCents, payment }: RefundRef): Promise<Stripe.Refund> {
    const amount = amountCents === null ? {} : { amount: amountCents }
    const charge = required(payment.providerCaptureId, 'the capture of the payment')
    return ask((stripe) =>
      stripe.refunds.create({ charge, ...amount, metadata: { refund_id: id } }, { idempotencyKey: id }),
    )
  }

  /** Stripe lists a refund as soon as it responds, so a missing refund does not exist. */
  async function findOwn({ id, payment }: RefundRef): Promise<Stripe.Refund | null> {
    const made = await ask(async (stripe) => {
      for await (const refund of stripe.refunds.list({
        charge: required(payment.providerCaptureId, 'the capture of the payment'),
        limit: 100,
      }))
        if (refund.metadata?.refund_id === id) return refund
      return null
    })
    return made
  }

  async function refund(asked: RefundRef): Promise<RefundOutcome> {
    const { providerRefundId: ref, ageMinutes, payment } = asked
    if (ref) return outcomeOf(await find((stripe) => stripe.refunds.retrieve(ref)))
    // the idempotency key may have expired
    const known = ageMinutes >= REPEAT_MINUTES ? await findOwn(asked) : null
    if (known) return outcomeOf(known)
    try {
      return outcomeOf(await send(asked))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const made = await findOwn(asked)
      if (made) return outcomeOf(made)
      if (error.code === KEY_REUSED) return unclear('the key of a refund was used for another request')
      const charge = await find((stripe) =>
        stripe.charges.retrieve(required(payment.providerCaptureId, 'the capture of the payment')),
      )
      if (error.code === 'charge_already_refunded' && charge?.refunded)
        return { kind: 'completed', ref: null, refundId: null, amountCents: null }
      const isTooLarge = error.param === 'amount'
      return { kind: 'refused', reason: isTooLarge ? 'REFUND_AMOUNT_EXCEEDED' : (REASONS[error.code] ?? error.code) }
    }
  }

  return {
    refund: (asked) => orUnknown(refund(asked)),

    findRefund: async ({ refundRef, captureRef }): Promise<FoundRefund> => {
      let paymentId: string | null = null
      const look = async () => {
        const charge = await find((stripe) => stripe.charges.retrieve(captureRef))
        paymentId = charge?.metadata.payment_id ?? null
        return outcomeOf(await find((stripe) => stripe.refunds.retrieve(refundRef)))
      }
      return { outcome: await orUnknown(look()), paymentId }
    },
  }
}

function outcomeOf(refund: Stripe.Refund | null): RefundOutcome {
  if (refund?.status === 'pending' || refund?.status === 'requires_action') return { kind: 'pending', ref: refund.id }
  if (refund?.status !== 'succeeded') return { kind: 'refused', reason: refund?.failure_reason ?? 'UNKNOWN_REFUND' }
  const { id: ref, amount: amountCents, metadata } = refund
  return { kind: 'completed', ref, refundId: metadata?.refund_id ?? null, amountCents }
}
