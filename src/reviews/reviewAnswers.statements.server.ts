// Made by `npm run tables` from reviewAnswers.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('reviewAnswers.sql', import.meta.url))

export type LockReviewInput = { id: string; sellerId: string }
export type LockReviewRow = { id: string; takenDown: string | null }
// A shown review of a product of the seller, with why staff hid its answer.
export const lockReview = find<LockReviewInput, LockReviewRow>('lockReview')

export type WriteAnswerInput = { id: string; text: string }
export type WriteAnswerRow = { text: string; createdAt: string; editedAt: string | null }
// An unchanged answer is not edited. No row: staff hid the answer.
export const writeAnswer = find<WriteAnswerInput, WriteAnswerRow>('writeAnswer')

export type HideAnswerInput = { why: string | null; id: string; text: string }
export type HideAnswerRow = { reviewId: string }
// No row: the answer is not the text that staff read, or is hidden or shown already.
export const hideAnswer = find<HideAnswerInput, HideAnswerRow>('hideAnswer')

export type ListHiddenAnswersInput = { ids: string[] }
export type ListHiddenAnswersRow = { reviewId: string; text: string; why: string }
export const listHiddenAnswers = find<ListHiddenAnswersInput, ListHiddenAnswersRow>('listHiddenAnswers')
