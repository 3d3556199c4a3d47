// Made by `npm run tables` from hooks.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('hooks.sql', import.meta.url))

export type QueueTestInput = { id: string; data: unknown }
export type QueueTestRow = { queued: string }
export const queueTest = find<QueueTestInput, QueueTestRow>('queueTest')

export type CountFailedInput = { userId: string; days: number; limit: number }
export type CountFailedRow = { count: number }
export const countFailed = find<CountFailedInput, CountFailedRow>('countFailed')

export type RestartFailedInput = { userId: string; days: number; limit: number }
export type RestartFailedRow = { id: string; isFirst: boolean }
// Starts new series of attempts, oldest event first. `is_first`: the first event of its address.
export const restartFailed = find<RestartFailedInput, RestartFailedRow>('restartFailed')

export type FailWithoutJobInput = Record<string, never>
export type FailWithoutJobRow = Record<string, never>
// Marks due events without a job as failed, because nothing would send them.
export const failWithoutJob = find<FailWithoutJobInput, FailWithoutJobRow>('failWithoutJob')
