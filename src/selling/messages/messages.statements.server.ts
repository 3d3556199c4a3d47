// Made by `npm run tables` from messages.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('messages.sql', import.meta.url))

export type FindSidesInput = { userId: string; id: string }
export type FindSidesRow = {
  buyerId: string
  sellerId: string
  otherId: string
  orderId: string
  title: string
  name: string
  side: 'buyer' | 'seller'
}
// The two sides of a sale, if the member is one of them.
export const findSides = find<FindSidesInput, FindSidesRow>('findSides')

export type FindClosedInput = { userId: string; id: string; otherId: string }
export type FindClosedRow = { closed: import('./messages.contract.ts').Closed | null }
// Why the member cannot write to the other side of a sale.
export const findClosed = find<FindClosedInput, FindClosedRow>('findClosed')

export type FindThreadInput = { limit: number; userId: string; buyerId: string; sellerId: string }
export type FindThreadRow = {
  messages: import('./messages.contract.ts').Message[]
  isUnread: boolean
  isReported: boolean
}
export const findThread = find<FindThreadInput, FindThreadRow>('findThread')

export type LockAuthorInput = { userId: string }
export type LockAuthorRow = { locked: string }
// Locks the author, so that concurrent transactions cannot exceed a maximum.
export const lockAuthor = find<LockAuthorInput, LockAuthorRow>('lockAuthor')

export type LockThreadInput = { buyerId: string; sellerId: string }
export type LockThreadRow = { id: string }
// Creates the thread of both sides if there is none, and locks it.
export const lockThread = find<LockThreadInput, LockThreadRow>('lockThread')

export type FindMessageInput = { messageId: string }
export type FindMessageRow = { threadId: string; authorId: string; body: string }
export const findMessage = find<FindMessageInput, FindMessageRow>('findMessage')

export type ReadUnansweredInput = { authorId: string; threadId: string }
export type ReadUnansweredRow = { count: number; isRead: boolean; isAnswered: boolean }
// Messages of the author since the last one of the other side, and whether the other side has read all of them.
export const readUnanswered = find<ReadUnansweredInput, ReadUnansweredRow>('readUnanswered')

export type CountStartedInput = { authorId: string; threadId: string }
export type CountStartedRow = { count: number }
// Other members to whom the author wrote in the last day and who have never answered.
export const countStarted = find<CountStartedInput, CountStartedRow>('countStarted')

export type AddMessageInput = { messageId: string; threadId: string; authorId: string; lineId: string; text: string }
export type AddMessageRow = { id: string }
// The author has read the thread. No row: another transaction added a message with this id to another thread.
export const addMessage = find<AddMessageInput, AddMessageRow>('addMessage')

export type MarkReadInput = { userId: string; messageId: string; buyerId: string; sellerId: string }
export type MarkReadRow = Record<string, never>
// Marks the thread as read up to a message.
export const markRead = find<MarkReadInput, MarkReadRow>('markRead')

export type AddBlockInput = { userId: string; otherId: string }
export type AddBlockRow = Record<string, never>
export const addBlock = find<AddBlockInput, AddBlockRow>('addBlock')

export type RemoveBlockInput = { userId: string; otherId: string }
export type RemoveBlockRow = Record<string, never>
export const removeBlock = find<RemoveBlockInput, RemoveBlockRow>('removeBlock')

export type AddReportInput = { userId: string; note: string; limit: number; threadId: string; most: number }
export type AddReportRow = { id: string }
// No row: the reporter has too many open reports of the thread.
export const addReport = find<AddReportInput, AddReportRow>('addReport')

export type ListOrderSellersInput = { id: string; userId: string }
export type ListOrderSellersRow = { json: string }
export const listOrderSellers = find<ListOrderSellersInput, ListOrderSellersRow>('listOrderSellers')

export type ForgetMessagesInput = { userId: string }
export type ForgetMessagesRow = Record<string, never>
export const forgetMessages = find<ForgetMessagesInput, ForgetMessagesRow>('forgetMessages')

export type ForgetBlocksInput = { userId: string }
export type ForgetBlocksRow = Record<string, never>
export const forgetBlocks = find<ForgetBlocksInput, ForgetBlocksRow>('forgetBlocks')

export type ForgetClosedReportsInput = { userId: string }
export type ForgetClosedReportsRow = Record<string, never>
export const forgetClosedReports = find<ForgetClosedReportsInput, ForgetClosedReportsRow>('forgetClosedReports')

export type ForgetTimesInput = { userId: string }
export type ForgetTimesRow = Record<string, never>
// Removes the times of deleted messages. Otherwise the other side would see an unread message that does not exist.
export const forgetTimes = find<ForgetTimesInput, ForgetTimesRow>('forgetTimes')

export type ForgetEmptyThreadsInput = { ids: string[] }
export type ForgetEmptyThreadsRow = Record<string, never>
// Threads of erased members without a message and without a report.
export const forgetEmptyThreads = find<ForgetEmptyThreadsInput, ForgetEmptyThreadsRow>('forgetEmptyThreads')

export type ListThreadsInput = { userId: string }
export type ListThreadsRow = { id: string }
export const listThreads = find<ListThreadsInput, ListThreadsRow>('listThreads')

export type ForgetOldReportsInput = { days: number; most: number }
export type ForgetOldReportsRow = { threadId: string }
export const forgetOldReports = find<ForgetOldReportsInput, ForgetOldReportsRow>('forgetOldReports')
