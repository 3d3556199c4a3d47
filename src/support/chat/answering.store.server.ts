import { sql } from 'kysely'
import { type Db, together, type Tx } from '../../kit/database.server.ts'
import type { Draft } from '../../assistant/answers/answer.ts'
import type { ModelUse } from '../../assistant/model/modelAnswer.server.ts'
import * as statements from './answer.statements.server.ts'
import { addMessage } from './chat.store.server.ts'

/** After this time, the node that was answering is considered dead. */
export const LOST_SECONDS = 45
/** A question can follow up messages of this time. */
const FRAME_MINUTES = 60

export const beginAnswer = async (tx: Tx, userId: string, questionId: string): Promise<boolean> =>
  (await statements.beginAnswer(tx, { userId, questionId })).length > 0

/** Starts an answer to the newest message. Returns null if it is not the customer's or has an answer. */
export const beginNewest = async (db: Db, userId: string): Promise<string | null> =>
  (await statements.beginNewest(db, { userId }))[0]?.questionId ?? null

/** Starts again after a failure or a stop. False if the member's question is not in one of these states. */
export async function beginAgain(db: Db, userId: string, questionId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chatAnswers')
    .set({ state: 'working', startedAt: sql`clock_timestamp()`, answerId: null })
    .where('questionId', '=', questionId)
    .where('userId', '=', userId)
    .where(
      sql<boolean>`(state IN ('failed', 'stopped') OR (state = 'working' AND started_at < now() - ${LOST_SECONDS} * interval '1 second'))`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function endAnswer(
  db: Db | Tx,
  userId: string,
  questionId: string,
  state: 'stopped' | 'failed',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chatAnswers')
    .set({ state })
    .where('questionId', '=', questionId)
    .where('userId', '=', userId)
    .where('state', '=', 'working')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const readQuestion = async (db: Db, questionId: string) =>
  (await statements.readQuestion(db, { questionId, minutes: FRAME_MINUTES }))[0] ?? null

/** Returns earlier messages, oldest first, for the language model. Excludes staff, whose messages name people. */
export async function readThread(db: Db, userId: string, before: Date, count: number) {
  const rows = await db
    .selectFrom('chatMessages')
    .select(['author', 'message'])
    .where('userId', '=', userId)
    .where('author', '<>', 'admin')
    .where('createdAt', '<', before)
    .orderBy('createdAt', 'desc')
    .limit(count)
    .execute()
  return rows.toReversed()
}

/**
 * Stores an answer, unless the customer stopped it or staff took over. A confident answer ends the wait of its
 * question, but not of other unanswered questions. Returns true if it was stored.
 */
export async function storeAnswer(
  tx: Tx,
  {
    questionId,
    userId,
    draft,
    made,
    isStopped,
  }: { questionId: string; userId: string; draft: Draft; made: ModelUse; isStopped: boolean },
): Promise<boolean> {
  // Locks the conversation first, as every write of a message does, to avoid deadlocks.
  const [[conversation], [answer]] = await together([
    statements.lockConversation(tx, { userId }),
    statements.lockAnswer(tx, { questionId }),
  ])
  if (!conversation || answer?.state !== 'working') return false
  if (conversation.mode === 'person') {
    await endAnswer(tx, userId, questionId, 'stopped')
    return false
  }
  const { text, products, articles, orders, isUnsure, offersPerson, wantsPerson, ...why } = draft
  const id = crypto.randomUUID()
  const isAnswered = !isUnsure && !offersPerson && !isStopped
  await together([
    addMessage(tx, {
      ...{ id, userId, author: 'assistant', message: text, products, articles, orders },
      ...{ isUnsure, offersPerson, isStopped },
    }),
    statements.saveAnswer(tx, {
      ...{ questionId, state: isStopped ? 'stopped' : 'done', answerId: id },
      ...{ intent: why.intent, confidence: why.confidence, tools: why.tools, sources: why.sources },
      ...{ frame: why.frame === null ? null : JSON.stringify(why.frame), model: made.model, dropped: made.dropped },
      ...{ firstMs: made.firstMs, tookMs: made.tookMs, costMicrodollars: made.costMicrodollars },
    }),
    wantsPerson ? setMode(tx, userId, 'person') : isAnswered ? statements.endWait(tx, { userId }) : Promise.resolve([]),
  ])
  return true
}

export const setMode = (tx: Tx | Db, userId: string, mode: 'assistant' | 'person') =>
  tx
    .updateTable('chatConversations')
    .set({ mode, ...(mode === 'person' && { waitingSince: sql`coalesce(waiting_since, now())`, snoozedUntil: null }) })
    .where('userId', '=', userId)
    .execute()

export const isWorking = async (db: Db, userId: string, questionId: string): Promise<boolean> =>
  (await db
    .selectFrom('chatAnswers')
    .select('questionId')
    .where('questionId', '=', questionId)
    .where('userId', '=', userId)
    .where('state', '=', 'working')
    .where('startedAt', '>', sql<Date>`now() - ${LOST_SECONDS} * interval '1 second'`)
    .executeTakeFirst()) !== undefined

export async function rate(
  db: Db,
  userId: string,
  messageId: string,
  rating: 1 | -1 | null,
  reason: string | undefined,
) {
  const { numUpdatedRows } = await db
    .updateTable('chatAnswers')
    .set({
      rating,
      ...(reason !== undefined && { reason: reason || null }),
      ...(rating === null && { reason: null }),
      reviewedAt: null,
    })
    .where('answerId', '=', messageId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
