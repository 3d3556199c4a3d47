import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const WAITING_KINDS = ['dispute', 'code_case', 'question', 'goods', 'review', 'message'] as const

export type WaitingItem = z.infer<typeof WaitingItem>
/**
 * An item that waits for a seller. `id` is the sale of a dispute or message, the case of a bad code, or the product.
 * `until` is the time of a decision without the seller, or the deadline for facts about a dispute. `amount` is the
 * frozen sum of a dispute.
 */
export const WaitingItem = z.object({
  kind: z.enum(WAITING_KINDS),
  id: z.uuid(),
  title: z.string(),
  at: z.string(),
  until: z.nullable(z.string()),
  amount: z.nullable(z.string()),
})

export const MANY_WAITING = 20
export const MAX_WAITING = 500
export const NET_DAYS = 14

export type Overview = z.infer<typeof Overview>
/** Sums are net: revenue minus fees and refunds, with a minus below zero. Days are in UTC. */
export const Overview = z.object({
  /** The caller has sold something, today or ever. */
  hasSold: z.boolean(),
  today: z.object({ sales: z.number(), net: z.string() }),
  /** Sales that are not disputed and cannot be paid out yet; `first` is the day on which the first of them can. */
  incoming: z.object({ net: z.string(), first: z.nullable(z.object({ at: z.string(), net: z.string() })) }),
  disputed: z.object({ sales: z.number(), net: z.string() }),
  /** The last 14 days, without days of no sale; a refund counts on the day of its sale. */
  from: z.string(),
  to: z.string(),
  days: z.array(z.object({ day: z.string(), net: z.string() })),
  /** The first `limit`, by their deadline. */
  waiting: z.array(WaitingItem),
  waitingCount: z.number(),
  /** The number of members who follow the caller. */
  followers: z.number(),
})

export const getOverview = endpoint('GET /api/selling/overview', {
  access: 'member',
  about:
    'The net of the caller today and in the last 14 days, the net on its way and of disputed sales, the number of followers, and what needs an answer: the first 20, or `limit`.',
  input: z.strictObject({ limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_WAITING))) }),
  reply: Overview,
})

export const dismissReviews = endpoint('PUT /api/selling/products/:id/seen-reviews', {
  access: 'member',
  about:
    'Ends the wait of the reviews of a product of the caller for an answer, up to `at` of the item in the overview.',
  input: z.strictObject({ id: z.uuid(), at: z.iso.datetime() }),
  reply: z.object({ id: z.uuid() }),
})
