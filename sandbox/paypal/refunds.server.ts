import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, lockEntry, readEntry } from '../store.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { type Amount, centsOf, readForm, RefundRequest } from './forms.server.ts'
import { notFound, refusalFor } from './refusals.server.ts'
import { type Capture, nowText, type Refund, showCapture, showRefund } from './wire.server.ts'

export function refundRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, base } = sandbox
  const { read, write } = callsOf(sandbox)
  return [
    read('GET /v2/payments/captures/:id', 'A capture.', async ({ params }) => {
      const capture = await readEntry<Capture>(pool, 'capture', params.id)
      return capture ? showCapture(base, capture) : null
    }),

    write(
      'POST /v2/payments/captures/:id/refund',
      'Refunds a capture in full or in part.',
      { locks: true },
      async (call, client) => {
        const request = readForm(RefundRequest, call.body)
        const capture = await lockEntry<Capture>(client, 'capture', call.params.id)
        if (!capture) throw notFound()
        const { id: captureId, orderId, currency } = capture
        const cents = centsToRefund(capture, request.amount)
        const refundedCents = capture.refundedCents + cents
        const refund: Refund = {
          id: createId(),
          captureId,
          cents,
          currency,
          totalRefundedCents: refundedCents,
          customId: request.custom_id ?? null,
          invoiceId: request.invoice_id ?? null,
          createTime: nowText(),
        }
        const status = refundedCents === capture.cents ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
        const shown = showRefund(base, refund)
        return {
          status: 201,
          body: shown,
          entries: [
            { kind: 'capture', id: captureId, orderId, body: { ...capture, status, refundedCents } },
            { kind: 'refund', id: refund.id, orderId, body: refund },
          ],
          events: [createEvent(sandbox, 'PAYMENT.CAPTURE.REFUNDED', shown)],
        }
      },
    ),

    read('GET /v2/payments/refunds/:id', 'A refund.', async ({ params }) => {
      const refund = await readEntry<Refund>(pool, 'refund', params.id)
      return refund ? showRefund(base, refund) : null
    }),
  ]
}

function centsToRefund(capture: Capture, amount: Amount | undefined): number {
  if (capture.status === 'DECLINED') throw refusalFor('REFUND_NOT_ALLOWED')
  if (capture.disputedBy) throw refusalFor('TRANSACTION_DISPUTED')
  if (capture.status === 'REFUNDED') throw refusalFor('CAPTURE_FULLY_REFUNDED')
  const left = capture.cents - capture.refundedCents
  if (!amount) return left
  if (amount.currency_code !== capture.currency) throw refusalFor('REFUND_CAPTURE_CURRENCY_MISMATCH')
  const cents = centsOf(amount)
  const where = { field: '/amount/value', value: amount.value, location: 'body' } as const
  if (cents === 0) throw refusalFor('CANNOT_BE_ZERO_OR_NEGATIVE', where)
  if (cents > left) throw refusalFor('REFUND_AMOUNT_EXCEEDED', where)
  return cents
}
