import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, lockEntry, readEntry } from './store.server.ts'
import { type Sandbox, sandboxRead, sandboxWrite } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { type Amount, amountProblems, centsOf, readForm, RefundRequest } from './order.rules.ts'
import { notFound, Refusal, refusalFor } from './refusal.ts'
import { type Capture, nowText, type Refund, showCaptureAlone, showRefund } from './wire.server.ts'

export function refundRoutes(sandbox: Sandbox): RawRoute[] {
  return [
    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v2/payments/captures/:id',
      { about: 'Money taken.' },
      async ({ params }) => {
        const capture = await readEntry<Capture>(sandbox.pool, 'capture', params.id!)
        if (!capture) throw notFound()
        return { status: 200, body: showCaptureAlone(sandbox.base, capture) }
      },
    ),

    sandboxWrite(
      sandbox,
      'POST /sandbox/paypal/v2/payments/captures/:id/refund',
      { about: 'Gives money back, in all or in part.' },
      async (call, client) => {
        const request = readForm(RefundRequest, call.body)
        const capture = await lockEntry<Capture>(client, 'capture', call.params.id!)
        if (!capture) throw notFound()
        const cents = centsToRefund(capture, request.amount)
        const refundedCents = capture.refundedCents + cents
        const status = refundedCents === capture.cents ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
        const refund: Refund = {
          id: createId(),
          captureId: capture.id,
          orderId: capture.orderId,
          cents,
          currency: capture.currency,
          totalRefundedCents: refundedCents,
          customId: request.custom_id ?? null,
          invoiceId: request.invoice_id ?? null,
          note: request.note_to_payer ?? null,
          createTime: nowText(),
        }
        const changed: Capture = { ...capture, status, refundedCents, updateTime: nowText() }
        const base = sandbox.base
        return {
          status: 201,
          body: showRefund(base, refund, call.isFull),
          entries: [
            { kind: 'capture', id: capture.id, orderId: capture.orderId, body: changed },
            { kind: 'refund', id: refund.id, orderId: capture.orderId, body: refund },
          ],
          events: [createEvent(sandbox, 'PAYMENT.CAPTURE.REFUNDED', showRefund(base, refund))],
        }
      },
    ),

    sandboxRead(
      sandbox,
      'GET /sandbox/paypal/v2/payments/refunds/:id',
      { about: 'Money given back.' },
      async ({ params }) => {
        const refund = await readEntry<Refund>(sandbox.pool, 'refund', params.id!)
        if (!refund) throw notFound()
        return { status: 200, body: showRefund(sandbox.base, refund) }
      },
    ),
  ]
}

/** What is asked for, or all that is left. Throws a Refusal when that cannot be given back. */
function centsToRefund(capture: Capture, amount: Amount | undefined): number {
  if (capture.status === 'DECLINED') throw refusalFor('REFUND_NOT_ALLOWED')
  if (capture.status === 'REFUNDED') throw refusalFor('CAPTURE_FULLY_REFUNDED')
  const left = capture.cents - capture.refundedCents
  if (!amount) return left
  const problems = amountProblems(amount, '/amount', 1)
  if (problems.length > 0) throw new Refusal(422, problems)
  if (amount.currency_code !== capture.currency) throw refusalFor('REFUND_CAPTURE_CURRENCY_MISMATCH')
  const cents = centsOf(amount)
  if (cents > left)
    throw refusalFor('REFUND_AMOUNT_EXCEEDED', { field: '/amount/value', value: amount.value, location: 'body' })
  return cents
}
