// Made by `npm run tables` from chat.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('chat.sql', import.meta.url))

export type InsertMessageInput = {
  userId: string
  id: string
  author: string
  message: string
  staffId: string | null
  articles: unknown
  products: string[]
  orders: string[]
  isUnsure: boolean
  offersPerson: boolean
  isStopped: boolean
  via: string
  sendKey: string
}
export type InsertMessageRow = { id: string; createdAt: Date }
// No row: the key was used before.
export const insertMessage = find<InsertMessageInput, InsertMessageRow>('insertMessage')

export type StartWaitingInput = { userId: string }
export type StartWaitingRow = Record<string, never>
export const startWaiting = find<StartWaitingInput, StartWaitingRow>('startWaiting')

export type StopWaitingInput = { userId: string }
export type StopWaitingRow = Record<string, never>
export const stopWaiting = find<StopWaitingInput, StopWaitingRow>('stopWaiting')

export type ReadMessagesInput = { userId: string; limit: number }
export type ReadMessagesRow = {
  id: string
  author: string
  message: string
  articles: unknown
  createdAt: Date
  firstName: string | null
  rating: number | null
  isUnsure: boolean
  offersPerson: boolean
  isStopped: boolean
  via: string
  products: import('./chat.contract.ts').ChatMessage['products']
  orders: import('./chat.contract.ts').ChatMessage['orders']
}
export const readMessages = find<ReadMessagesInput, ReadMessagesRow>('readMessages')

export type ReadMessageInput = { userId: string; id: string }
export type ReadMessageRow = {
  id: string
  author: string
  message: string
  articles: unknown
  createdAt: Date
  firstName: string | null
  rating: number | null
  isUnsure: boolean
  offersPerson: boolean
  isStopped: boolean
  via: string
  products: import('./chat.contract.ts').ChatMessage['products']
  orders: import('./chat.contract.ts').ChatMessage['orders']
}
export const readMessage = find<ReadMessageInput, ReadMessageRow>('readMessage')

export type MarkReadInput = { userId: string }
export type MarkReadRow = Record<string, never>
// Writes only if the customer has an unread answer of staff, because every view of the chat calls it.
export const markRead = find<MarkReadInput, MarkReadRow>('markRead')

export type ReadStatusInput = {
  lookedSeconds: number
  answeredMinutes: number
  lostSeconds: number
  scoreDays: number
  userId: string | null
}
export type ReadStatusRow = {
  isHere: boolean
  newestId: string | null
  hasReply: boolean
  questionId: string | null
  state: 'working' | 'failed' | 'stopped' | 'done' | null
  isWithPerson: boolean
  asksScore: boolean
}
// The poll of an open chat. Without a customer, returns only the state of the store.
export const readStatus = find<ReadStatusInput, ReadStatusRow>('readStatus')

export type NotifyOfStaffInput = { staffId: string; userId: string }
export type NotifyOfStaffRow = { userId: string; toCustomer: string; toStaff: string }
export const notifyOfStaff = find<NotifyOfStaffInput, NotifyOfStaffRow>('notifyOfStaff')

export type NotifyOfCustomerInput = { userId: string }
export type NotifyOfCustomerRow = { userId: string; sent: string }
export const notifyOfCustomer = find<NotifyOfCustomerInput, NotifyOfCustomerRow>('notifyOfCustomer')

export type NoteSettlementInput = { userId: string; staffId: string }
export type NoteSettlementRow = Record<string, never>
// A conversation that was resolved again without a new message is not rated again.
export const noteSettlement = find<NoteSettlementInput, NoteSettlementRow>('noteSettlement')
