// Made by `npm run tables` from answers.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('answers.sql', import.meta.url))

export type SaveLessonInput = {
  question: string
  messageId: string | null
  slug: string | null
  answer: string | null
  staffId: string
}
export type SaveLessonRow = { id: string }
// A question that staff wrote stays without a message, even if a customer's message has the same words.
export const saveLesson = find<SaveLessonInput, SaveLessonRow>('saveLesson')

export type DeleteLessonInput = { id: string }
export type DeleteLessonRow = { id: string }
export const deleteLesson = find<DeleteLessonInput, DeleteLessonRow>('deleteLesson')

export type ReadLessonsInput = Record<string, never>
export type ReadLessonsRow = { id: string; question: string; slug: string | null; answer: string | null }
export const readLessons = find<ReadLessonsInput, ReadLessonsRow>('readLessons')

export type FindPurchasesInput = {
  userId: string
  number: string | null
  orderStatus: string | null
  ids: string[] | null
  most: number
}
export type FindPurchasesRow = {
  id: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  cents: number
  at: string
  code:
    | 'placed'
    | 'paid'
    | 'free'
    | 'gift'
    | 'claimed'
    | 'canceled_by_buyer'
    | 'expired'
    | 'sold_out'
    | 'start_failed'
    | 'risk_refused'
    | 'risk_refused_paid'
    | 'declined'
    | 'refunded_at_provider'
    | 'amount_mismatch'
    | 'payment_unusable'
    | 'refunded'
    | 'other'
  minutesLeft: number | null
  isHeld: boolean
  lines: { title: string; quantity: number; delivery: string | null; productId: string }[]
}
// The newest orders of a member that match. `number` is the last eight characters of an id.
export const findPurchases = find<FindPurchasesInput, FindPurchasesRow>('findPurchases')

export type ReadOwnedInput = { userId: string }
export type ReadOwnedRow = {
  title: string
  orderId: string
  delivery: 'file' | 'code' | 'license' | 'course'
  owned: number
}
// The newest purchases of a member; `owned` counts all.
export const readOwned = find<ReadOwnedInput, ReadOwnedRow>('readOwned')

export type ReadSpendingInput = { userId: string }
export type ReadSpendingRow = { spent: number; credit: number }
export const readSpending = find<ReadSpendingInput, ReadSpendingRow>('readSpending')
