import { toCents } from '../../kit/money.ts'
import type { FoundRefund, RefundOutcome, RefundRef } from '../../payments/outcome.ts'
import type { Provider } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import type { Client } from './client.server.ts'
import { findLoggedRefund, LOGGED_MINUTES } from './eventLog.server.ts'
import { amountOf, Refused, REPEAT_MINUTES } from './outcome.server.ts'
import { Capture, Order, read, Refund, refundsOf } from './wire.server.ts'
import { required } from '../../kit/values/required.ts'

export function refundsAt(client: Client): Pick<Provider, 'refund' | 'findRefund'> {
  const readRefund = (id: string) => client.find(`/v2/payments/refunds/${encodeURIComponent(id)}`, Refund.parse)
  const readCapture = (id: string) => client.find(`/v2/payments/captures/${encodeURIComponent(id)}`, Capture.parse)

  async function send({ id, amountCents, payment }: RefundRef): Promise<Refund> {
    const amount = amountCents === null ? {} : { amount: amountOf(amountCents) }
    const path = `/v2/payments/captures/${encodeURIComponent(required(payment.providerCaptureId, 'the capture of the payment'))}/refund`
    const answer = await client.request('POST', path, { ...amount, custom_id: id, invoice_id: id }, `rf-${id}`)
    return read(() => Refund.parse(answer))
  }

  /**
   * Finds a refund whose response was lost, by its order or the event log. A repeat after PayPal deleted the request id
   * would pay twice. If other refunds explain all refunded money, PayPal never received the request, and the shop sends
   * it again.
   */
  async function findLost(asked: RefundRef): Promise<RefundOutcome> {
    const { id, ageMinutes, payment } = asked
    const { providerOrderId: ref, providerCaptureId } = payment
    const order = ref && (await client.find(`/v2/checkout/orders/${encodeURIComponent(ref)}`, Order.parse))
    const shown = order ? refundsOf(order) : []
    const own = shown.filter(({ custom_id }) => custom_id === id)
    const found = own.find(({ status }) => status === 'COMPLETED') ?? own[0]
    if (found) return outcomeOf(found)
    const logged = await findLoggedRefund(client, id, ageMinutes)
    if (logged !== null) {
      // the event shows the status at its time, so read the current status
      const made = logged === '' ? null : await readRefund(logged)
      return made ? outcomeOf(made) : unclear('a refund in the event log cannot be read')
    }
    // the request may have been sent a moment ago
    if (ageMinutes < REPEAT_MINUTES + LOGGED_MINUTES) return unclear('too soon to tell that a refund was never made')
    const capture = await readCapture(required(providerCaptureId, 'the capture of the payment'))
    if (!capture || !isExplained(capture, shown)) return unclear('the provider cannot tell what became of a refund')
    // without the order, only the capture proves that no refund exists: too weak to send money
    return order ? outcomeOf(await send(asked)) : { kind: 'refused', reason: 'NEVER_MADE' }
  }

  async function refund(asked: RefundRef): Promise<RefundOutcome> {
    const { providerRefundId: ref, ageMinutes, payment } = asked
    try {
      if (ref) return outcomeOf(await readRefund(ref))
      return ageMinutes >= REPEAT_MINUTES ? await findLost(asked) : outcomeOf(await send(asked))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const isReturned =
        error.issue === 'CAPTURE_FULLY_REFUNDED' &&
        (await readCapture(required(payment.providerCaptureId, 'the capture of the payment')))?.status === 'REFUNDED'
      if (isReturned) return { kind: 'completed', ref, refundId: null, amountCents: null }
      return { kind: 'refused', reason: error.issue }
    }
  }

  return {
    refund: (asked) => orUnknown(refund(asked)),

    findRefund: async ({ refundRef, captureRef }): Promise<FoundRefund> => {
      let paymentId: string | null = null
      const look = async () => {
        paymentId = (await readCapture(captureRef))?.custom_id ?? null
        return outcomeOf(await readRefund(refundRef))
      }
      return { outcome: await orUnknown(look()), paymentId }
    },
  }
}

function isExplained({ status, amount }: Capture, shown: Refund[]): boolean {
  if (status === 'COMPLETED') return true
  const made = shown.filter((refund) => refund.status === 'COMPLETED')
  const centsOf = (refund: Refund) => (refund.amount ? toCents(refund.amount.value) : 0)
  const sum = made.reduce((cents, refund) => cents + centsOf(refund), 0)
  const told = made.map(({ seller_payable_breakdown: sums }) => toCents(sums?.total_refunded_amount?.value ?? '0.00'))
  const isAll = sum > 0 && sum >= Math.max(...told)
  return isAll && (status === 'REFUNDED') === sum >= toCents(amount.value)
}

function outcomeOf(refund: Refund | null): RefundOutcome {
  if (refund?.status === 'PENDING') return { kind: 'pending', ref: refund.id }
  if (refund?.status !== 'COMPLETED') return { kind: 'refused', reason: refund?.status ?? 'UNKNOWN_REFUND' }
  const { id: ref, custom_id: refundId = null, amount } = refund
  return read(() => ({ kind: 'completed', ref, refundId, amountCents: amount ? toCents(amount.value) : null }))
}
