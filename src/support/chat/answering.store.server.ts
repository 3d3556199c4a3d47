import { sql } from 'kysely'
import { compiled, type Db, together, type Tx } from '../../kit/database.server.ts'
import type { Draft, Frame } from '../../assistant/answers/answer.ts'
import type { ModelUse } from '../../assistant/model/modelAnswer.server.ts'
import { addMessage } from './chat.store.server.ts'

/** After this long without an end the node that answered has died. */
export const LOST_SECONDS = 45
/** A question goes on with what was said within this time. */
const FRAME_MINUTES = 60

export const beginAnswer = async (tx: Tx, userId: string, questionId: string): Promise<boolean> =>
  (await insertAnswer(tx, userId, questionId)).length > 0

const insertAnswer = compiled((db, userId: string, questionId: string) =>
  db
    .insertInto('chatAnswers')
    .columns(['questionId', 'userId'])
    .expression((from) =>
      from
        .selectFrom('chatConversations')
        .select([sql<string>`${questionId}::uuid`.as('questionId'), 'userId'])
        .where('userId', '=', userId)
        .where('mode', '<>', 'person'),
    )
    .returning('questionId'),
)

/** Begins the answer to the newest message of a conversation. Null if it is not the customer's or has an answer. */
export async function beginNewest(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .insertInto('chatAnswers')
    .columns(['questionId', 'userId'])
    .expression((from) =>
      from
        .selectFrom((newest) =>
          newest
            .selectFrom('chatMessages')
            .select(['id', 'userId', 'author'])
            .where('userId', '=', userId)
            .orderBy('createdAt', 'desc')
            .orderBy('id', 'desc')
            .limit(1)
            .as('m'),
        )
        .select(['m.id', 'm.userId'])
        .where('m.author', '=', 'user'),
    )
    .onConflict((one) => one.doNothing())
    .returning('questionId')
    .executeTakeFirst()
  return row?.questionId ?? null
}

/** Starts again after a failure or a stop. False if the question is not the member's, answered, or being answered. */
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

export async function readQuestion(db: Db, questionId: string) {
  const [row] = await selectQuestion(db, questionId)
  return row ? { ...row, frame: row.frame as Frame | null } : null
}

const selectQuestion = compiled((db, questionId: string) =>
  db
    .selectFrom('chatMessages as m')
    .innerJoin('chatAnswers as a', 'a.questionId', 'm.id')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('chatAnswers as before')
          .select('before.frame')
          .whereRef('before.userId', '=', 'm.userId')
          .where('before.state', '=', 'done')
          .where('before.startedAt', '>', sql<Date>`now() - ${FRAME_MINUTES} * interval '1 minute'`)
          .where('before.frame', 'is not', null)
          .orderBy('before.startedAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['m.message', 'm.userId', 'm.createdAt', 'last.frame'])
    .where('m.id', '=', questionId),
)

/** The messages before a question, oldest first, for the language model. Those of staff stay here: they name people. */
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
 * Stores an answer, unless the customer stopped it or staff took over meanwhile. A confident answer ends the wait of its
 * question; earlier and later questions without one keep waiting for staff. Answers true if it was stored.
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
  // the conversation's row comes first, as in every write of a message
  const [[conversation], [answer]] = await together([lockConversation(tx, userId), lockAnswer(tx, questionId)])
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
    updateAnswer(
      tx,
      ...([
        questionId,
        isStopped ? 'stopped' : 'done',
        id,
        why.intent,
        why.confidence,
        why.tools,
        why.sources,
      ] as const),
      ...([why.frame === null ? null : JSON.stringify(why.frame), made.model, made.dropped] as const),
      ...([made.firstMs, made.tookMs, made.costMicrodollars] as const),
    ),
    wantsPerson ? setMode(tx, userId, 'person') : isAnswered ? endWait(tx, userId) : Promise.resolve([]),
  ])
  return true
}

const lockConversation = compiled((db, userId: string) =>
  db.selectFrom('chatConversations').select('mode').where('userId', '=', userId).forUpdate(),
)
const lockAnswer = compiled((db, questionId: string) =>
  db.selectFrom('chatAnswers').select('state').where('questionId', '=', questionId).forUpdate(),
)
const updateAnswer = compiled(
  (
    db,
    questionId: string,
    state: 'stopped' | 'done',
    answerId: string,
    intent: string,
    confidence: number,
    tools: string[],
    sources: string[],
    frame: string | null,
    model: string | null,
    dropped: number,
    firstMs: number,
    tookMs: number,
    costMicrodollars: number,
  ) =>
    db
      .updateTable('chatAnswers')
      .set({
        ...{ state, answerId, intent, confidence, tools, sources, frame },
        ...{ model, dropped, firstMs, tookMs, costMicrodollars },
      })
      .where('questionId', '=', questionId),
)

export const setMode = (tx: Tx | Db, userId: string, mode: 'assistant' | 'person') =>
  tx
    .updateTable('chatConversations')
    .set({ mode, ...(mode === 'person' && { waitingSince: sql`coalesce(waiting_since, now())`, snoozedUntil: null }) })
    .where('userId', '=', userId)
    .execute()

/** The wait goes on with the first question since its begin that neither the assistant nor staff answered. */
const endWait = compiled((db, userId: string) =>
  db
    .updateTable('chatConversations as c')
    .set({
      waitingSince: sql`(SELECT min(m.created_at) FROM chat_messages m
        WHERE m.user_id = c.user_id AND m.author = 'user' AND m.created_at >= c.waiting_since - interval '1 second'
          AND m.created_at > coalesce((SELECT max(s.created_at) FROM chat_messages s WHERE s.user_id = c.user_id AND s.author = 'admin'), '-infinity')
          AND NOT EXISTS (SELECT FROM chat_answers a JOIN chat_messages r ON r.id = a.answer_id
            WHERE a.question_id = m.id AND a.state = 'done' AND NOT r.is_unsure AND NOT r.offers_person))`,
    })
    .where('userId', '=', userId)
    .where('waitingSince', 'is not', null),
)

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
