// Made by `npm run tables` from metrics.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('metrics.sql', import.meta.url))

export type CountOpenPaymentsInput = Record<string, never>
export type CountOpenPaymentsRow = {
  value:
    | 'creating'
    | 'created'
    | 'capturing'
    | 'captured'
    | 'declined'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'mismatched'
    | 'refunded'
    | 'part_refunded'
  count: number
}
export const countOpenPayments = find<CountOpenPaymentsInput, CountOpenPaymentsRow>('countOpenPayments')

export type CountJobsInput = Record<string, never>
export type CountJobsRow = { value: string; count: number }
export const countJobs = find<CountJobsInput, CountJobsRow>('countJobs')

export type CountRiskDecisionsInput = Record<string, never>
export type CountRiskDecisionsRow = { value: 'allow' | 'step_up' | 'hold' | 'refuse'; count: number }
export const countRiskDecisions = find<CountRiskDecisionsInput, CountRiskDecisionsRow>('countRiskDecisions')

export type CountRiskHoldsInput = Record<string, never>
export type CountRiskHoldsRow = { count: number }
export const countRiskHolds = find<CountRiskHoldsInput, CountRiskHoldsRow>('countRiskHolds')

export type CountStoppedScansInput = Record<string, never>
export type CountStoppedScansRow = { count: number }
export const countStoppedScans = find<CountStoppedScansInput, CountStoppedScansRow>('countStoppedScans')

export type CountOpenExceptionsInput = Record<string, never>
export type CountOpenExceptionsRow = { count: number }
export const countOpenExceptions = find<CountOpenExceptionsInput, CountOpenExceptionsRow>('countOpenExceptions')

export type CountBreachesInput = Record<string, never>
export type CountBreachesRow = { count: number }
export const countBreaches = find<CountBreachesInput, CountBreachesRow>('countBreaches')

export type ReadBackupAgesInput = Record<string, never>
export type ReadBackupAgesRow = { value: string; count: number }
export const readBackupAges = find<ReadBackupAgesInput, ReadBackupAgesRow>('readBackupAges')

export type ReadRestoreTestAgesInput = Record<string, never>
export type ReadRestoreTestAgesRow = { value: string; count: number }
export const readRestoreTestAges = find<ReadRestoreTestAgesInput, ReadRestoreTestAgesRow>('readRestoreTestAges')

export type CountFailedRestoreTestInput = Record<string, never>
export type CountFailedRestoreTestRow = { count: number }
export const countFailedRestoreTest = find<CountFailedRestoreTestInput, CountFailedRestoreTestRow>(
  'countFailedRestoreTest',
)

export type FindLastChangeInput = { last: number }
export type FindLastChangeRow = { id: number }
// A transaction with a lower id may still commit within 15 seconds.
export const findLastChange = find<FindLastChangeInput, FindLastChangeRow>('findLastChange')

export type CountChangesInput = { begin: number; end: number }
export type CountChangesRow = { status: string; count: number }
export const countChanges = find<CountChangesInput, CountChangesRow>('countChanges')
