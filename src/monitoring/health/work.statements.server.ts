// Made by `npm run tables` from work.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('work.sql', import.meta.url))

export type ReadJobsInput = Record<string, never>
export type ReadJobsRow = { waiting: number; oldestSeconds: number; failed: number; names: string | null }
export const readJobs = find<ReadJobsInput, ReadJobsRow>('readJobs')

export type CountUnsentMailsInput = Record<string, never>
export type CountUnsentMailsRow = { kept: number }
export const countUnsentMails = find<CountUnsentMailsInput, CountUnsentMailsRow>('countUnsentMails')

export type ReadLateMailsInput = Record<string, never>
export type ReadLateMailsRow = { late: number; error: string | null }
// Shows rejected mails for a week.
export const readLateMails = find<ReadLateMailsInput, ReadLateMailsRow>('readLateMails')

export type ReadLastBackupInput = Record<string, never>
export type ReadLastBackupRow = { days: number; store: string }
export const readLastBackup = find<ReadLastBackupInput, ReadLastBackupRow>('readLastBackup')

export type ReadLastRestoreTestInput = Record<string, never>
export type ReadLastRestoreTestRow = { hasBackup: boolean; isGood: boolean | null; says: string; days: number }
export const readLastRestoreTest = find<ReadLastRestoreTestInput, ReadLastRestoreTestRow>('readLastRestoreTest')
