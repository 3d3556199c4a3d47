// Made by `npm run tables` from webhooks.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('webhooks.sql', import.meta.url))

export type StoreEventInput = {
  provider: string
  ref: string | null
  paymentId: string | null
  eventId: string
  eventType: string
  body: string
  error: string | null
  lanes: number
}
export type StoreEventRow = { jobId: number }
// Stores a webhook event in one statement. Events about a settled payment or no payment are marked processed. If a
// request of the shop may be running, the event waits three seconds for its reply. Any other event is enqueued at once.
export const storeEvent = find<StoreEventInput, StoreEventRow>('storeEvent')

export type CloseSettledInput = Record<string, never>
export type CloseSettledRow = Record<string, never>
// Closes the waiting events whose payment was settled in the meantime.
export const closeSettled = find<CloseSettledInput, CloseSettledRow>('closeSettled')

export type EnqueueDueInput = { lanes: number }
export type EnqueueDueRow = { jobId: number }
// Enqueues the events that are due. A job with attempts left retains its back-off.
export const enqueueDue = find<EnqueueDueInput, EnqueueDueRow>('enqueueDue')

export type ReadReplayWindowInput = { provider: string }
export type ReadReplayWindowRow = { since: Date; until: Date }
// The time window of possibly missed events. Events appear in the provider's log within 20 minutes.
export const readReplayWindow = find<ReadReplayWindowInput, ReadReplayWindowRow>('readReplayWindow')
