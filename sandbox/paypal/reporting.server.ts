import { z } from 'zod'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import type { Reversal } from './disputes.server.ts'
import { amountOf, readForm } from './forms.server.ts'
import type { PayoutItem } from './payouts.server.ts'
import { refusalFor } from './refusals.server.ts'
import type { Capture, Refund } from './wire.server.ts'

const MAX_MS = 31 * 86_400_000
const Query = z.object({
  start_date: z.iso.datetime({ offset: true }),
  end_date: z.iso.datetime({ offset: true }),
  fields: z.string().default('transaction_info'),
  page_size: z.coerce.number().int().min(1).max(500).default(100),
  page: z.coerce.number().int().min(1).default(1),
})

type Row = {
  kind: 'capture' | 'refund' | 'reversal' | 'payout_item'
  body: unknown
  at: Date
  isFee: boolean
  total: number
}

export const reportingRoutes = (sandbox: Sandbox): RawRoute[] => [
  callsOf(sandbox).read('GET /v1/reporting/transactions', 'Lists transactions.', async ({ query }) => {
    const asked = readForm(Query, Object.fromEntries(query))
    const [from, until] = [new Date(asked.start_date), new Date(asked.end_date)]
    if (until.getTime() - from.getTime() > MAX_MS || until < from)
      throw refusalFor('INVALID_PARAMETER_SYNTAX', { field: 'end_date' })
    const { rows } = await sandbox.pool.query<Row>(
      `SELECT kind, body, created_at AS at, "isFee", count(*) OVER ()::int AS total FROM sandbox.records
       CROSS JOIN LATERAL (SELECT false AS "isFee" UNION ALL SELECT true WHERE kind = 'reversal') parts
       WHERE kind IN ('capture', 'refund', 'reversal', 'payout_item') AND created_at >= $1 AND created_at < $2::timestamptz + interval '1 second'
         AND body->>'status' IS DISTINCT FROM 'DECLINED' AND (kind <> 'payout_item' OR body->>'status' = 'SUCCESS')
       ORDER BY created_at, id, "isFee" LIMIT $3 OFFSET $4`,
      [from, until, asked.page_size, (asked.page - 1) * asked.page_size],
    )
    const total = rows[0]?.total ?? 0
    return {
      transaction_details: rows.map((row) => ({ transaction_info: describe(row) })),
      start_date: asked.start_date,
      end_date: asked.end_date,
      page: asked.page,
      total_items: total,
      total_pages: Math.max(1, Math.ceil(total / asked.page_size)),
    }
  }),
]

const DISPUTE_FEE_CENTS = 2000
const PAYOUT_FEE_CENTS = 25
const feeOf = (cents: number) => Math.min(cents, Math.round(cents * 0.0349) + 49)

function describe({ kind, body, at, isFee }: Row) {
  const date = `${at.toISOString().slice(0, 19)}+0000`
  const common = {
    transaction_initiation_date: date,
    transaction_updated_date: date,
    transaction_status: 'S',
  }
  if (kind === 'capture') {
    const { id, orderId, cents, currency, customId, invoiceId } = body as Capture
    return {
      ...{ transaction_id: id, paypal_reference_id: orderId, paypal_reference_id_type: 'ODR', ...common },
      ...{ transaction_event_code: 'T0006', transaction_amount: amountOf(cents, currency) },
      fee_amount: out(feeOf(cents), currency),
      ...(customId && { custom_field: customId }),
      ...(invoiceId && { invoice_id: invoiceId }),
    }
  }
  if (kind === 'refund') {
    const { id, captureId, cents, currency, customId } = body as Refund
    return {
      ...{ transaction_id: id, paypal_reference_id: captureId, paypal_reference_id_type: 'TXN', ...common },
      ...{ transaction_event_code: 'T1107', transaction_amount: out(cents, currency) },
      ...(customId && { custom_field: customId }),
    }
  }
  if (kind === 'reversal') {
    const { id, captureId, cents, currency, customId } = body as Reversal
    if (isFee)
      return {
        ...{ transaction_id: `${id}F`, paypal_reference_id: captureId, paypal_reference_id_type: 'TXN', ...common },
        ...{ transaction_event_code: 'T0106', transaction_amount: out(DISPUTE_FEE_CENTS, currency) },
      }
    return {
      ...{ transaction_id: id, paypal_reference_id: captureId, paypal_reference_id_type: 'TXN', ...common },
      ...{ transaction_event_code: 'T1106', transaction_amount: out(cents, currency) },
      ...(customId && { custom_field: customId }),
    }
  }
  const { id, senderItemId, cents } = body as PayoutItem
  return {
    ...{ transaction_id: id, ...common, transaction_event_code: 'T0001' },
    ...{ transaction_amount: out(cents, 'USD'), custom_field: senderItemId },
    fee_amount: out(PAYOUT_FEE_CENTS, 'USD'),
  }
}

const out = (cents: number, currency: string) => {
  const amount = amountOf(cents, currency)
  return { ...amount, value: `-${amount.value}` }
}
