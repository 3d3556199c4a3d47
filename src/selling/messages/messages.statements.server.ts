// Made by `npm run tables` from messages.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('messages.sql', import.meta.url))

export type FindSidesInput = { userId: string; id: string }
export type FindSidesRow = {
  buyerId: string
  sellerId: string
  orderId: string
  title: string
  side: 'buyer' | 'seller'
  name: string
  canReply: boolean
}
// The two sides of a sale, if the member is one of them.
export const findSides = find<FindSidesInput, FindSidesRow>('findSides')

export type FindThreadInput = { limit: number; buyerId: string; sellerId: string }
export type FindThreadRow = {
  blockedBy: 'buyer' | 'seller' | null
  reportedBy: 'buyer' | 'seller' | null
  messages: import('./messages.contract.ts').Message[]
  hasNewsForBuyer: boolean
  hasNewsForSeller: boolean
}
export const findThread = find<FindThreadInput, FindThreadRow>('findThread')

export type LockThreadInput = { buyerId: string; sellerId: string }
export type LockThreadRow = { id: string; blockedBy: string | null }
// Creates the thread of both sides if there is none, and locks it.
export const lockThread = find<LockThreadInput, LockThreadRow>('lockThread')

export type ReadUnansweredInput = { authorId: string; threadId: string }
export type ReadUnansweredRow = { count: number; isRead: boolean }
// Messages of the author since the last one of the other side, and whether the other side has read all of them.
export const readUnanswered = find<ReadUnansweredInput, ReadUnansweredRow>('readUnanswered')

export type AddMessageInput = { messageId: string; threadId: string; authorId: string; lineId: string; text: string }
export type AddMessageRow = { id: string }
// No row: a repeated call.
export const addMessage = find<AddMessageInput, AddMessageRow>('addMessage')

export type MarkReadInput = { userId: string; buyerId: string; sellerId: string }
export type MarkReadRow = Record<string, never>
export const markRead = find<MarkReadInput, MarkReadRow>('markRead')

export type BlockThreadInput = { userId: string; threadId: string }
export type BlockThreadRow = Record<string, never>
export const blockThread = find<BlockThreadInput, BlockThreadRow>('blockThread')

export type OpenThreadInput = { threadId: string; userId: string }
export type OpenThreadRow = Record<string, never>
export const openThread = find<OpenThreadInput, OpenThreadRow>('openThread')

export type ReportThreadInput = { userId: string; note: string; threadId: string }
export type ReportThreadRow = Record<string, never>
export const reportThread = find<ReportThreadInput, ReportThreadRow>('reportThread')

export type ListOrderSellersInput = { id: string; userId: string }
export type ListOrderSellersRow = { json: string }
export const listOrderSellers = find<ListOrderSellersInput, ListOrderSellersRow>('listOrderSellers')

export type ListStaffThreadsInput = { limit: number; memberId: string | null; orderId: string | null; most: number }
export type ListStaffThreadsRow = { json: string }
export const listStaffThreads = find<ListStaffThreadsInput, ListStaffThreadsRow>('listStaffThreads')

export type ForgetMessagesInput = { userId: string }
export type ForgetMessagesRow = Record<string, never>
export const forgetMessages = find<ForgetMessagesInput, ForgetMessagesRow>('forgetMessages')

export type ForgetReportsInput = { userId: string }
export type ForgetReportsRow = Record<string, never>
export const forgetReports = find<ForgetReportsInput, ForgetReportsRow>('forgetReports')

export type ForgetEmptyThreadsInput = { userId: string }
export type ForgetEmptyThreadsRow = Record<string, never>
export const forgetEmptyThreads = find<ForgetEmptyThreadsInput, ForgetEmptyThreadsRow>('forgetEmptyThreads')
