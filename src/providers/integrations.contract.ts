import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type Integration = z.infer<typeof Integration>
/** State of a payment method: 'active' when its probe succeeds, 'away' when it fails, 'setup' without settings. */
export const Integration = z.object({
  /** A provider's name, 'wallet' or 'crypto'. */
  id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'away', 'setup']),
  isSandbox: z.boolean(),
})

export const listIntegrations = endpoint('GET /api/payments/integrations', {
  access: 'member',
  about: 'The ways to be paid, each with what a probe of at most a minute ago found.',
  reply: z.array(Integration),
})

export type Webhook = z.infer<typeof Webhook>
export const Webhook = z.object({
  provider: z.string(),
  name: z.string(),
  url: z.string(),
  /** False without a webhook secret: the shop cannot check signatures, so it rejects every event. */
  canVerify: z.boolean(),
  /** True in the built-in sandbox only. */
  canTest: z.boolean(),
})

export const listWebhooks = endpoint('GET /api/payments/webhooks', {
  access: 'member',
  about: "Each payment provider's webhook address.",
  reply: z.array(Webhook),
})

export type WebhookEvent = z.infer<typeof WebhookEvent>
export const WebhookEvent = z.object({
  id: z.string(),
  provider: z.string(),
  eventType: z.string(),
  receivedAt: z.string(),
  timesReceived: z.number(),
  processedAt: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})

export const listWebhookEvents = endpoint('GET /api/payments/webhooks/events', {
  access: 'admin',
  about: 'The last 20 events whose signature was verified, newest first, with what came of them.',
  reply: z.array(WebhookEvent),
})

export const sendTestEvent = endpoint('POST /api/payments/webhooks/test', {
  access: 'admin',
  about: 'Has the built-in sandbox send a signed event to the webhook; `answer` is the status the webhook gave it.',
  reply: z.object({ eventId: z.string(), answer: z.nullable(z.string()), isStored: z.boolean() }),
})
