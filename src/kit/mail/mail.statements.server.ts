// Made by `npm run tables` from mail.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('mail.sql', import.meta.url))

export type StoreMailInput = {
  key: string
  recipient: string
  subject: string
  bodyText: string
  bodyHtml: string
  unsubscribeUrl: string | null
}
export type StoreMailRow = Record<string, never>
export const storeMail = find<StoreMailInput, StoreMailRow>('storeMail')

export type LeaseDueInput = { leaseMs: number; limit: number }
export type LeaseDueRow = { id: string }
// Skips mails older than 3 days: they waited for a missing mail server and are out of date.
export const leaseDue = find<LeaseDueInput, LeaseDueRow>('leaseDue')

export type RenewLeasesInput = { leaseMs: number; ids: string[] }
export type RenewLeasesRow = Record<string, never>
export const renewLeases = find<RenewLeasesInput, RenewLeasesRow>('renewLeases')
