// Made by `npm run tables` from answer.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('answer.sql', import.meta.url))

export type BeginAnswerInput = { questionId: string; userId: string }
export type BeginAnswerRow = { questionId: string }
// No row: staff answer this conversation.
export const beginAnswer = find<BeginAnswerInput, BeginAnswerRow>('beginAnswer')

export type BeginNewestInput = { userId: string }
export type BeginNewestRow = { questionId: string }
// No row: the newest message is not the customer's, or has an answer.
export const beginNewest = find<BeginNewestInput, BeginNewestRow>('beginNewest')

export type ReadQuestionInput = { minutes: number; questionId: string }
export type ReadQuestionRow = {
  message: string
  userId: string
  createdAt: Date
  frame: import('../../assistant/answers/answer.ts').Frame | null
}
// `frame` is the subject of the last answer.
export const readQuestion = find<ReadQuestionInput, ReadQuestionRow>('readQuestion')

export type LockConversationInput = { userId: string }
export type LockConversationRow = { mode: 'assistant' | 'person' }
export const lockConversation = find<LockConversationInput, LockConversationRow>('lockConversation')

export type LockAnswerInput = { questionId: string }
export type LockAnswerRow = { state: 'working' | 'done' | 'stopped' | 'failed' }
export const lockAnswer = find<LockAnswerInput, LockAnswerRow>('lockAnswer')

export type SaveAnswerInput = {
  state: string
  answerId: string
  intent: string
  confidence: number
  tools: string[]
  sources: string[]
  frame: unknown | null
  model: string | null
  dropped: number
  firstMs: number
  tookMs: number
  costMicrodollars: number
  questionId: string
}
export type SaveAnswerRow = Record<string, never>
export const saveAnswer = find<SaveAnswerInput, SaveAnswerRow>('saveAnswer')

export type EndWaitInput = { userId: string }
export type EndWaitRow = Record<string, never>
// Sets the start of the wait to the first question since then without an answer of the assistant or staff.
export const endWait = find<EndWaitInput, EndWaitRow>('endWait')
