// Made by `npm run tables` from jobs.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('jobs.sql', import.meta.url))

export type AddJobInput = {
  name: string
  payload: unknown
  queue: string | null
  delaySeconds: number
  key: string | null
  maxAttempts: number
}
export type AddJobRow = { id: string }
export const addJob = find<AddJobInput, AddJobRow>('addJob')

export type DeleteEmptyQueuesInput = Record<string, never>
export type DeleteEmptyQueuesRow = Record<string, never>
// Deletes empty queues of members, because each fetch of a job reads all queues.
export const deleteEmptyQueues = find<DeleteEmptyQueuesInput, DeleteEmptyQueuesRow>('deleteEmptyQueues')

export type RegisterWorkersInput = { lock: number; workerIds: string[] }
export type RegisterWorkersRow = Record<string, never>
export const registerWorkers = find<RegisterWorkersInput, RegisterWorkersRow>('registerWorkers')

export type DeleteDeadWorkersInput = { space: number }
export type DeleteDeadWorkersRow = { workerId: string }
// Deletes the workers of dead nodes: a lock that can be acquired has no living holder.
export const deleteDeadWorkers = find<DeleteDeadWorkersInput, DeleteDeadWorkersRow>('deleteDeadWorkers')

export type FindUnknownWorkersInput = Record<string, never>
export type FindUnknownWorkersRow = { workerId: string }
// Finds workers of nodes that never registered.
export const findUnknownWorkers = find<FindUnknownWorkersInput, FindUnknownWorkersRow>('findUnknownWorkers')

export type UnlockWorkersInput = { workerIds: string[] }
export type UnlockWorkersRow = { unlocked: string }
export const unlockWorkers = find<UnlockWorkersInput, UnlockWorkersRow>('unlockWorkers')

export type UnlockLostJobsInput = { workerIds: string[]; lostMs: number; running: string[] }
export type UnlockLostJobsRow = Record<string, never>
// A newer job with the same key uses up a job's attempts. Such a job gets one more, so that it ends.
export const unlockLostJobs = find<UnlockLostJobsInput, UnlockLostJobsRow>('unlockLostJobs')

export type UnlockLostQueuesInput = { workerIds: string[]; lostMs: number }
export type UnlockLostQueuesRow = Record<string, never>
export const unlockLostQueues = find<UnlockLostQueuesInput, UnlockLostQueuesRow>('unlockLostQueues')

export type ForgetReplacedRunsInput = { scheduled: string[] }
export type ForgetReplacedRunsRow = Record<string, never>
export const forgetReplacedRuns = find<ForgetReplacedRunsInput, ForgetReplacedRunsRow>('forgetReplacedRuns')
