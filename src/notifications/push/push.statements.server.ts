// Made by `npm run tables` from push.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('push.sql', import.meta.url))

export type QueuePushesInput = { message: string; userId: string; key: string }
export type QueuePushesRow = { jobId: string }
// Adds one job for each browser. `key` deduplicates the jobs of an event.
export const queuePushes = find<QueuePushesInput, QueuePushesRow>('queuePushes')

export type FindSubscriptionInput = { id: string }
export type FindSubscriptionRow = { endpoint: string; p256dh: string; auth: string }
export const findSubscription = find<FindSubscriptionInput, FindSubscriptionRow>('findSubscription')
