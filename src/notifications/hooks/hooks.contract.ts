import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const EVENTS = {
  'order.completed': 'A buyer has paid and has the goods',
  'order.refunded': 'All money of an order was refunded',
  'refund.created': 'Money of an order was refunded, all or a part',
  'dispute.opened': 'A buyer disputes a payment, or a dispute that was won is open again',
  'dispute.closed': 'A dispute was won or lost',
  'license.created': 'A licence key was delivered',
  'license.revoked': 'A licence key was revoked',
  'gift.created': 'A buyer gave a purchase away',
  'gift.claimed': 'A gift was accepted',
  'gift.ended': 'A gift was taken back or its money returned',
  'product.updated': 'A product was changed, listed or unlisted',
  'payout.sent': 'A payout was sent to its seller',
  'review.created': 'A buyer rated a product',
} as const
export type HookEvent = keyof typeof EVENTS

export const MAX_ENDPOINTS = 10
const known = z.nullable(z.string())

const Words = z.strictObject({
  url: z.string().check(z.trim(), z.minLength(1, 'Enter an address'), z.maxLength(1000)),
  events: z.array(z.enum(Object.keys(EVENTS) as HookEvent[])).check(z.minLength(1, 'Choose an event'), z.maxLength(20)),
})

export type Hook = z.infer<typeof Hook>
export const Hook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  isForShop: z.boolean(),
  state: z.enum(['active', 'failing', 'disabled']),
  createdAt: z.string(),
  lastSuccessAt: known,
  failingSince: known,
})

export type NewHook = z.infer<typeof NewHook>
/** `secret` is returned only once. */
export const NewHook = z.extend(Hook, { secret: z.string() })

export const listHooks = endpoint('GET /api/account/webhooks', {
  access: 'member',
  about: "The caller's addresses for outgoing webhooks.",
  reply: z.array(Hook),
})

export const addHook = endpoint('POST /api/account/webhooks', {
  access: 'member',
  stepUp: true,
  about: `Adds an address on a public https server, at most ${MAX_ENDPOINTS}, and answers its signing secret once. \`isForShop\` needs an administrator.`,
  input: z.extend(Words, { isForShop: z.boolean() }),
  reply: NewHook,
  status: 201,
})

export const changeHook = endpoint('PUT /api/account/webhooks/:id', {
  access: 'member',
  stepUp: true,
  about: 'Changes address and events, and enables or disables the address.',
  input: z.extend(Words, { id: z.uuid(), isEnabled: z.boolean() }),
  reply: Hook,
})

export const renewSecret = endpoint('POST /api/account/webhooks/:id/secret', {
  access: 'member',
  stepUp: true,
  about: 'Makes another signing secret and answers it once. The former one signs too for 24 hours.',
  input: z.strictObject({ id: z.uuid() }),
  reply: NewHook,
})

export const removeHook = endpoint('DELETE /api/account/webhooks/:id', {
  access: 'member',
  about: 'Removes an address with its log.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({}),
})

export const testHook = endpoint('POST /api/account/webhooks/:id/test', {
  access: 'member',
  about: 'Sends the event `test` to an address.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({}),
  status: 202,
})

export type HookMessage = z.infer<typeof HookMessage>
export const HookMessage = z.object({
  id: z.uuid(),
  hookId: z.uuid(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: z.string(),
  nextAt: known,
  body: z.string(),
  /** Newest first. Without a response, `status` is null and `answer` contains the reason. */
  attempts: z.array(
    z.object({ at: z.string(), status: z.nullable(z.number()), milliseconds: z.number(), answer: z.string() }),
  ),
})

export const MANY_MESSAGES = 50

export const listHookMessages = endpoint('GET /api/account/webhook-messages', {
  access: 'member',
  about: `The last ${MANY_MESSAGES} events for the caller's addresses, newest first, with what was sent and each answer.`,
  reply: z.array(HookMessage),
})

export const replayHookMessage = endpoint('POST /api/account/webhook-messages/:id/replay', {
  access: 'member',
  about: 'Sends an event again, now, with the same id.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({}),
  status: 202,
})

/** Maximum age of the events that a resend of all failed events includes. */
export const RESEND_DAYS = 14
export const MAX_RESENT = 200
export const MAX_COUNTED = 10_000

export const countFailedMessages = endpoint('GET /api/account/webhook-messages/failed', {
  access: 'member',
  about: `How many events of the last ${RESEND_DAYS} days failed, at most ${MAX_COUNTED}. Tests and events for disabled addresses do not count.`,
  reply: z.object({ count: z.number() }),
})

export const replayFailedMessages = endpoint('POST /api/account/webhook-messages/replay', {
  access: 'member',
  about: `Sends the failed events of the last ${RESEND_DAYS} days again, oldest first, at most ${MAX_RESENT}, with the same ids. Skips tests and disabled addresses. An address that still fails pauses the rest.`,
  reply: z.object({ queued: z.number() }),
  status: 202,
})
