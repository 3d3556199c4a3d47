import { z } from 'zod'
import { toDecimal } from '../../src/kit/money.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import {
  type Client,
  createId,
  type Entry,
  inTransaction,
  lockEntry,
  readEntry,
  writeEffects,
} from '../store.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { centsOf, readForm } from './forms.server.ts'
import { notFound, refusalFor } from './refusals.server.ts'
import { nowText } from './wire.server.ts'

type Status = 'SUCCESS' | 'FAILED' | 'UNCLAIMED' | 'RETURNED' | 'ONHOLD'
export type PayoutItem = {
  id: string
  batchId: string
  senderBatchId: string
  senderItemId: string
  receiver: string
  cents: number
  status: Status
  error: string | null
  createTime: string
}
type PayoutBatch = { id: string; senderBatchId: string; cents: number; createTime: string }

const text = (max: number) => z.string().min(1).max(max)
const Request = z.object({
  sender_batch_header: z.object({
    sender_batch_id: text(256),
    email_subject: text(255).optional(),
    email_message: text(1000).optional(),
  }),
  items: z
    .array(
      z.object({
        recipient_type: z.literal('EMAIL'),
        receiver: z.email().max(127),
        amount: z.object({ currency: z.literal('USD'), value: z.string().regex(/^\d{1,13}\.\d{2}$/) }),
        note: text(4000).optional(),
        sender_item_id: text(63),
      }),
    )
    .min(1)
    .max(15_000),
})
const PageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(1000).default(1000),
})

const TAGS: [RegExp, Status, string | null][] = [
  [/\+unclaimed@/, 'UNCLAIMED', 'RECEIVER_UNREGISTERED'],
  [/\+failed@/, 'FAILED', 'RECEIVER_ACCOUNT_LOCKED'],
  [/\+poor@/, 'FAILED', 'INSUFFICIENT_FUNDS'],
  [/\+held@/, 'ONHOLD', null],
  [/\+returned@/, 'RETURNED', 'RECEIVER_UNREGISTERED'],
]
const EVENTS = {
  SUCCESS: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
  FAILED: 'PAYMENT.PAYOUTS-ITEM.FAILED',
  UNCLAIMED: 'PAYMENT.PAYOUTS-ITEM.UNCLAIMED',
  RETURNED: 'PAYMENT.PAYOUTS-ITEM.RETURNED',
  ONHOLD: 'PAYMENT.PAYOUTS-ITEM.HELD',
} as const

export function payoutRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, base } = sandbox
  const { read, write } = callsOf(sandbox)
  return [
    write(
      'POST /v1/payments/payouts',
      'Creates a batch of payouts.',
      { locks: true, bodyLimit: 8 * 1024 * 1024 },
      async ({ body }, client) => {
        const { sender_batch_header: header, items } = readForm(Request, body)
        const senderBatchId = header.sender_batch_id
        await refuseKnown(client, base, senderBatchId)
        const batch = { id: createId(13), senderBatchId, createTime: nowText() }
        const made = items.map((item): PayoutItem => {
          const [, status, error] = TAGS.find(([tag]) => tag.test(item.receiver)) ?? [null, 'SUCCESS', null]
          return {
            ...{ id: createId(13), batchId: batch.id, senderBatchId, senderItemId: item.sender_item_id },
            ...{ receiver: item.receiver, cents: centsOf(item.amount), status: status as Status, error },
            createTime: batch.createTime,
          }
        })
        const cents = made.reduce((sum, item) => sum + item.cents, 0)
        const shown = { ...showHeader({ ...batch, cents }, 'SUCCESS'), id: batch.id }
        return {
          status: 201,
          body: showHeader({ ...batch, cents }, 'PENDING'),
          entries: [
            { kind: 'payout_sender', id: senderBatchId, body: { batchId: batch.id } },
            { kind: 'payout_batch', id: batch.id, orderId: batch.id, body: { ...batch, cents } },
            ...made.map((item) => entryOf(item)),
          ],
          events: [
            ...made.map((item) => createEvent(sandbox, EVENTS[item.status], { ...showItem(base, item), id: item.id })),
            createEvent(sandbox, 'PAYMENT.PAYOUTSBATCH.SUCCESS', shown),
          ],
        }
      },
    ),

    read('GET /v1/payments/payouts/:id', 'A batch with a page of its items.', async ({ params, query }) => {
      const batch = await readEntry<PayoutBatch>(pool, 'payout_batch', params.id)
      if (!batch) return null
      const { page, page_size: size } = readForm(PageQuery, Object.fromEntries(query))
      const items = await readItems(sandbox, 'WHERE order_id = $1', [batch.id])
      return {
        total_items: items.length,
        total_pages: Math.ceil(items.length / size),
        ...showHeader(batch, 'SUCCESS'),
        items: items.slice((page - 1) * size, page * size).map((item) => showItem(base, item)),
        links: [{ href: `${base}/v1/payments/payouts/${batch.id}`, rel: 'self', method: 'GET' }],
      }
    }),

    read('GET /v1/payments/payouts-item/:id', 'A payout.', async ({ params }) => {
      const item = await readEntry<PayoutItem>(pool, 'payout_item', params.id)
      return item ? showItem(base, item) : null
    }),

    write(
      'POST /v1/payments/payouts-item/:id/cancel',
      'Takes back a payout that was not claimed.',
      { locks: true },
      async ({ params }, client) => {
        const item = await lockEntry<PayoutItem>(client, 'payout_item', params.id)
        if (!item) throw notFound()
        if (item.status !== 'UNCLAIMED') throw refusalFor('ITEM_INCORRECT_STATUS')
        const returned = { ...item, status: 'RETURNED' as const }
        return { status: 200, body: showItem(base, returned), ...effectsOf(sandbox, returned) }
      },
    ),
  ]
}

/** Allows one batch per sender id; the lock makes parallel requests wait. */
async function refuseKnown(client: Client, base: string, senderBatchId: string) {
  await client.query('SELECT pg_advisory_xact_lock(7150003, hashtext($1))', [senderBatchId])
  const known = await readEntry<{ batchId: string }>(client, 'payout_sender', senderBatchId)
  if (!known) return
  const link = [{ href: `${base}/v1/payments/payouts/${known.batchId}`, rel: 'self', method: 'GET' }]
  throw refusalFor('DUPLICATE_SENDER_BATCH_ID', { field: 'SENDER_BATCH_ID', location: 'body', link })
}

const entryOf = (item: PayoutItem): Entry => ({ kind: 'payout_item', id: item.id, orderId: item.batchId, body: item })

const effectsOf = (sandbox: Sandbox, item: PayoutItem) => ({
  entries: [entryOf(item)],
  events: [createEvent(sandbox, EVENTS[item.status], { ...showItem(sandbox.base, item), id: item.id })],
})

async function readItems({ pool }: Sandbox, where: string, values: string[]): Promise<PayoutItem[]> {
  const { rows } = await pool.query<{ body: PayoutItem }>(
    `SELECT body FROM sandbox.records ${where} ${where ? 'AND' : 'WHERE'} kind = 'payout_item' ORDER BY created_at, id`,
    values,
  )
  return rows.map(({ body }) => body)
}

export const readPayouts = (sandbox: Sandbox) => readItems(sandbox, '', [])

export const PAYOUT_CHOICES = { claim: 'SUCCESS', release: 'SUCCESS', return: 'RETURNED' } as const

export async function movePayout(sandbox: Sandbox, id: string, choice: keyof typeof PAYOUT_CHOICES) {
  await inTransaction(sandbox.pool, async (client) => {
    const item = await lockEntry<PayoutItem>(client, 'payout_item', id)
    if (!item) throw notFound()
    const { entries, events } = effectsOf(sandbox, { ...item, status: PAYOUT_CHOICES[choice] })
    await writeEffects(client, entries, events)
  })
  sandbox.wakeDeliveries()
}

const usd = (cents: number) => ({ currency: 'USD', value: toDecimal(cents) })

const showHeader = ({ id, senderBatchId, cents, createTime }: PayoutBatch, status: string) => ({
  batch_header: {
    payout_batch_id: id,
    batch_status: status,
    time_created: createTime,
    sender_batch_header: { sender_batch_id: senderBatchId },
    amount: usd(cents),
    fees: usd(0),
  },
})

const showItem = (base: string, item: PayoutItem) => ({
  payout_item_id: item.id,
  transaction_status: item.status,
  payout_item_fee: usd(25),
  payout_batch_id: item.batchId,
  sender_batch_id: item.senderBatchId,
  payout_item: {
    recipient_type: 'EMAIL',
    amount: usd(item.cents),
    receiver: item.receiver,
    sender_item_id: item.senderItemId,
  },
  time_processed: item.createTime,
  ...(item.error && item.status !== 'SUCCESS' && { errors: { name: item.error, message: item.error } }),
  links: [{ href: `${base}/v1/payments/payouts-item/${item.id}`, rel: 'item', method: 'GET' }],
})
