import { z } from 'zod'
import { toCents, toDecimal } from '../../kit/money.ts'
import type { BatchOutcome, BatchTruth, PayOut, PayoutTruth } from '../../payments/payouts/payOut.ts'
import type { EventSubject } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import type { Client } from './client.server.ts'
import { Refused } from './outcome.server.ts'
import { read } from './wire.server.ts'

// PayPal Payouts v1. The payout id is the `sender_batch_id`: PayPal rejects a second batch with one id for 30 days.

const PAYOUTS = '/v1/payments/payouts'
const ITEM = '/v1/payments/payouts-item'
const PAGE_SIZE = 1000
const MAX_PAGES = 20

const Batch = z.object({ batch_header: z.object({ payout_batch_id: z.string() }) })

const Item = z.object({
  payout_item_id: z.string(),
  payout_batch_id: z.string(),
  transaction_status: z.string().optional(),
  payout_item: z.object({
    sender_item_id: z.string(),
    amount: z.object({ currency: z.string(), value: z.string() }),
  }),
  errors: z.object({ name: z.string() }).optional(),
})

const Page = z.object({
  batch_header: z.object({
    payout_batch_id: z.string(),
    batch_status: z.string(),
    sender_batch_header: z.object({ sender_batch_id: z.string() }),
  }),
  items: z.array(Item).optional(),
  total_pages: z.number().optional(),
})

const PayoutEvent = z.object({
  event_type: z.string().regex(/^PAYMENT\.PAYOUTS/),
  resource: z.union([
    z.object({ payout_item_id: z.string(), payout_batch_id: z.string() }),
    z.object({ batch_header: z.object({ payout_batch_id: z.string() }) }),
  ]),
})

const STATES: Record<string, PayoutTruth['state']> = {
  SUCCESS: 'paid',
  FAILED: 'failed',
  DENIED: 'failed',
  PENDING: 'waiting',
  UNCLAIMED: 'unclaimed',
  RETURNED: 'returned',
  REFUNDED: 'returned',
  REVERSED: 'returned',
  ONHOLD: 'held',
  // PayPal does not report where the money of a blocked payout is
  BLOCKED: 'held',
}
/** Failures of the shop's own PayPal account. The seller cannot fix them with other payout details. */
const OURS = /^(INSUFFICIENT_FUNDS|SENDER_|ACCOUNT_|INTERNAL|TRANSACTION_LIMIT_EXCEEDED|APPROVER_DENIED|DENIED$)/
const MAY_EXIST = /already exists|USER_BUSINESS_ERROR|DUPLICATE/i

export function payoutsAt(client: Client, storeName: string): PayOut {
  async function send({ id, isFirst, payouts }: Parameters<PayOut['send']>[0]): Promise<BatchOutcome> {
    const header = {
      sender_batch_id: id,
      email_subject: `Your payout from ${storeName}`,
      email_message: `${storeName} has sent you what you earned.`,
    }
    const items = payouts.map(({ id: sender_item_id, receiver, amountCents }) => ({
      ...{ recipient_type: 'EMAIL', receiver, sender_item_id, recipient_wallet: 'PAYPAL', purpose: 'GOODS' },
      amount: { currency: 'USD', value: toDecimal(amountCents) },
      note: `Your earnings at ${storeName}`,
    }))
    try {
      const answer = await client.request('POST', PAYOUTS, { sender_batch_header: header, items })
      return { kind: 'sent', ref: read(() => Batch.parse(answer)).batch_header.payout_batch_id }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const [, ref] = /\/v1\/payments\/payouts\/([\w-]+)/.exec(JSON.stringify(error.body) ?? '') ?? []
      if (ref) return { kind: 'sent', ref }
      if (!isFirst || MAY_EXIST.test(error.issue)) return unclear(`a batch was refused: ${error.issue}`)
      return { kind: 'refused', reason: error.issue }
    }
  }

  async function readBatch(ref: string): Promise<BatchTruth> {
    const payouts: PayoutTruth[] = []
    for (let page = 1; page <= MAX_PAGES; page++) {
      const path = `${PAYOUTS}/${encodeURIComponent(ref)}?page=${page}&page_size=${PAGE_SIZE}&total_required=true`
      const found = await client.find(path, Page.parse)
      if (!found) return { kind: 'gone' }
      const { batch_header: header, items = [], total_pages: pages = 1 } = found
      payouts.push(...read(() => items.map(truthOf)))
      if (page < pages) continue
      const { sender_batch_id: batchId } = header.sender_batch_header
      return { kind: 'batch', batchId, isDenied: header.batch_status === 'DENIED', payouts }
    }
    return unclear(`no end of a batch after ${MAX_PAGES} pages`)
  }

  const readItem = async (ref: string) =>
    (await client.find(`${ITEM}/${encodeURIComponent(ref)}`, (body) => truthOf(Item.parse(body)))) ?? GONE

  async function cancel(ref: string) {
    try {
      await client.request('POST', `${ITEM}/${encodeURIComponent(ref)}/cancel`, {})
    } catch (error) {
      // the receiver claimed the money meanwhile, or PayPal returned it: the item shows the result
      if (!(error instanceof Refused)) throw error
    }
    return readItem(ref)
  }

  return {
    most: 1000,
    send: (batch) => orUnknown(send(batch)),
    read: (ref) => orUnknown(readBatch(ref)),
    find: (ref) => orUnknown(readItem(ref)),
    cancel: (ref) => orUnknown(cancel(ref)),
  }
}

const GONE = { kind: 'gone' } as const

function truthOf({ payout_item: item, errors, ...head }: z.output<typeof Item>): PayoutTruth {
  const status = head.transaction_status ?? 'PENDING'
  const reason = errors?.name ?? (status === 'SUCCESS' || status === 'PENDING' ? null : status)
  return {
    kind: 'payout',
    id: item.sender_item_id,
    ref: head.payout_item_id,
    batchRef: head.payout_batch_id,
    amountCents: toCents(item.amount.value),
    currency: item.amount.currency,
    state: STATES[status] ?? 'waiting',
    cause: OURS.test(reason ?? '') ? 'shop' : 'details',
    reason,
  }
}

export function subjectOfPayout(body: unknown): EventSubject | null {
  const { data } = PayoutEvent.safeParse(body)
  if (!data) return null
  const { resource } = data
  return 'batch_header' in resource
    ? { about: 'payout', batchRef: resource.batch_header.payout_batch_id, payoutRef: null }
    : { about: 'payout', batchRef: resource.payout_batch_id, payoutRef: resource.payout_item_id }
}
