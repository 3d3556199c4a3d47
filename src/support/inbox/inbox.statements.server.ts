// Made by `npm run tables` from inbox.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('inbox.sql', import.meta.url))

export type FindPlaceInput = { userId: string }
export type FindPlaceRow = { isQueued: boolean }
// An index supports each page of the inbox, because every open inbox polls it.
export const findPlace = find<FindPlaceInput, FindPlaceRow>('findPlace')

export type ReadQueueInput = { limit: number }
export type ReadQueueRow = { userId: string }
export const readQueue = find<ReadQueueInput, ReadQueueRow>('readQueue')

export type ReadQueueAfterInput = { after: string; limit: number }
export type ReadQueueAfterRow = { userId: string }
export const readQueueAfter = find<ReadQueueAfterInput, ReadQueueAfterRow>('readQueueAfter')

export type ReadRestInput = { limit: number }
export type ReadRestRow = { userId: string }
export const readRest = find<ReadRestInput, ReadRestRow>('readRest')

export type ReadRestAfterInput = { after: string; limit: number }
export type ReadRestAfterRow = { userId: string }
export const readRestAfter = find<ReadRestAfterInput, ReadRestAfterRow>('readRestAfter')

export type ReadConversationsInput = { answersWithinHours: number; length: number; userIds: string[] }
export type ReadConversationsRow = {
  userId: string
  lastAt: Date
  waitingSince: Date | null
  mode: string
  snoozedUntil: Date | null
  tags: string[]
  assigneeId: string | null
  agentFirstName: string | null
  agentLastName: string | null
  firstName: string | null
  lastName: string | null
  email: string
  joinedAt: Date
  unread: number
  excerpt: string
  author: 'user' | 'admin' | 'assistant'
  isLate: boolean | null
}
// For a waiting customer, the excerpt shows the customer's words, not the assistant's answer.
export const readConversations = find<ReadConversationsInput, ReadConversationsRow>('readConversations')

export type FindConversationInput = { userId: string }
export type FindConversationRow = {
  userId: string
  lastAt: Date
  waitingSince: Date | null
  mode: string
  snoozedUntil: Date | null
  tags: string[]
  assigneeId: string | null
  agentFirstName: string | null
  agentLastName: string | null
  firstName: string | null
  lastName: string | null
  email: string
  joinedAt: Date
  unread: number
  score: number | null
}
export const findConversation = find<FindConversationInput, FindConversationRow>('findConversation')

export type CountUnreadInput = { userId: string }
export type CountUnreadRow = { unread: number }
export const countUnread = find<CountUnreadInput, CountUnreadRow>('countUnread')

export type NoteWaitInput = { staffId: string; userId: string }
export type NoteWaitRow = Record<string, never>
// A message that the assistant answered or staff resolved does not wait.
export const noteWait = find<NoteWaitInput, NoteWaitRow>('noteWait')

export type ReadResponsesInput = { days: number; formerStaff: string }
export type ReadResponsesRow = { json: string }
export const readResponses = find<ReadResponsesInput, ReadResponsesRow>('readResponses')

export type ReadCustomerInput = { userId: string }
export type ReadCustomerRow = { json: string }
// The purchases of a customer. A debt does not count as credit.
export const readCustomer = find<ReadCustomerInput, ReadCustomerRow>('readCustomer')
