// Made by `npm run tables` from staffMessages.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('staffMessages.sql', import.meta.url))

export type ListThreadsOfMemberInput = { memberId: string; most: number; readerId: string }
export type ListThreadsOfMemberRow = { json: string }
// The threads of a member with the newest messages.
export const listThreadsOfMember = find<ListThreadsOfMemberInput, ListThreadsOfMemberRow>('listThreadsOfMember')

export type ListThreadsOfOrderInput = { orderId: string; most: number; readerId: string }
export type ListThreadsOfOrderRow = { json: string }
export const listThreadsOfOrder = find<ListThreadsOfOrderInput, ListThreadsOfOrderRow>('listThreadsOfOrder')

export type ListReportedThreadsInput = { readerId: string; most: number }
export type ListReportedThreadsRow = { json: string }
// The threads with open reports, oldest report first.
export const listReportedThreads = find<ListReportedThreadsInput, ListReportedThreadsRow>('listReportedThreads')

export type FindStaffThreadInput = { readerId: string; limit: number; id: string }
export type FindStaffThreadRow = {
  id: string
  isOwn: boolean
  messages: import('./messages.contract.ts').Message[]
  reports: import('./messages.contract.ts').MessageReport[]
}
export const findStaffThread = find<FindStaffThreadInput, FindStaffThreadRow>('findStaffThread')

export type SetEndedInput = { isEnded: boolean; id: string }
export type SetEndedRow = Record<string, never>
export const setEnded = find<SetEndedInput, SetEndedRow>('setEnded')

export type CloseReportsInput = { userId: string; id: string }
export type CloseReportsRow = { id: string; reporterId: string }
export const closeReports = find<CloseReportsInput, CloseReportsRow>('closeReports')
