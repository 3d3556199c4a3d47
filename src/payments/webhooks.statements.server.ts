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
// The inbox, in one statement. An event about a settled payment or about none is processed with it. An event about a payment under way
// waits three seconds in its row, because the answer to the shop's own request comes first. Any other event gets a job at once.
export const storeEvent = find<StoreEventInput, StoreEventRow>('storeEvent')

export type CloseSettledInput = Record<string, never>
export type CloseSettledRow = Record<string, never>
// Closes the waiting events whose payment was settled meanwhile.
export const closeSettled = find<CloseSettledInput, CloseSettledRow>('closeSettled')

export type EnqueueDueInput = { lanes: number }
export type EnqueueDueRow = { jobId: number }
// Enqueues the events that are due. A job with attempts left keeps its back-off.
export const enqueueDue = find<EnqueueDueInput, EnqueueDueRow>('enqueueDue')

export type ReadReplayWindowInput = { provider: string }
export type ReadReplayWindowRow = { since: Date; until: Date }
// Events from `since` on may be missing. An event shows in the provider's log within 20 minutes.
export const readReplayWindow = find<ReadReplayWindowInput, ReadReplayWindowRow>('readReplayWindow')
