import { sql } from 'kysely'
import type { Db } from '../../kit/database.server.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Mind } from '../../assistant/answers/answer.server.ts'
import * as statements from './inbox.statements.server.ts'
import { noteRoutes } from './notes.server.ts'
import { findConversation } from './queue.store.server.ts'
import { replyRoutes } from './replies.server.ts'
import {
  assignConversation,
  readResponses,
  snoozeConversation,
  suggestReply,
  tagConversation,
} from './team.contract.ts'
import { only, required } from '../../kit/values/required.ts'

const MAX_TRIED_MESSAGES = 3

/** Returns the customer's messages since the last answer of staff: questions first, then the newest. */
const readUnanswered = (db: Db, userId: string) =>
  db
    .selectFrom('chatMessages as m')
    .select('m.message')
    .where('m.userId', '=', userId)
    .where('m.author', '=', 'user')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('chatMessages as answer')
            .whereRef('answer.userId', '=', 'm.userId')
            .where('answer.author', '=', 'admin')
            .whereRef('answer.createdAt', '>', 'm.createdAt'),
        ),
      ),
    )
    .orderBy(sql`strpos(m.message, '?') > 0`, 'desc')
    .orderBy('m.createdAt', 'desc')
    .limit(MAX_TRIED_MESSAGES)
    .execute()

export const teamRoutes = (mind: Mind | null): Route[] => [
  handle(assignConversation, async ({ userId, isMine }, { user, db }) => {
    await findConversation(db, userId)
    await db
      .updateTable('chatConversations')
      .set({ assigneeId: isMine ? user.id : null })
      .where('userId', '=', userId)
      .execute()
    return { isMine }
  }),

  handle(snoozeConversation, async ({ userId, hours }, { db }) => {
    await findConversation(db, userId)
    const row = await db
      .updateTable('chatConversations')
      .set({ snoozedUntil: hours === 0 ? null : sql`now() + ${hours} * interval '1 hour'` })
      .where('userId', '=', userId)
      .returning('snoozedUntil')
      .executeTakeFirstOrThrow()
    return { snoozedUntil: row.snoozedUntil?.toISOString() ?? null }
  }),

  handle(tagConversation, async ({ userId, tags }, { db }) => {
    await findConversation(db, userId)
    const unique = [...new Set(tags.map((tag) => tag.toLowerCase()))]
    await db.updateTable('chatConversations').set({ tags: unique }).where('userId', '=', userId).execute()
    return { tags: unique }
  }),

  handle(suggestReply, async ({ userId }, { db }) => {
    await findConversation(db, userId)
    for (const { message } of mind ? await readUnanswered(db, userId) : []) {
      const { text, confidence, isUnsure, sources } = await required(mind, 'the assistant').answer({
        userId,
        text: message,
        frame: null,
      })
      if (!isUnsure && sources.length > 0) return { suggestion: { text, confidence } }
    }
    return { suggestion: null }
  }),

  ...noteRoutes,
  ...replyRoutes,

  handle(readResponses, async ({ days = 30 }, { pool }) =>
    asJson(only(await statements.readResponses(pool, { days, formerStaff: 'Former staff' })).json),
  ),
]
