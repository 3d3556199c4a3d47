import { sql } from 'kysely'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Mind } from '../../assistant/answers/answer.server.ts'
import * as statements from './inbox.statements.server.ts'
import { findConversation } from './queue.store.server.ts'
import {
  addNote,
  assignConversation,
  deleteReply,
  listNotes,
  listReplies,
  mergeConversations,
  readResponses,
  saveReply,
  snoozeConversation,
  suggestReply,
  tagConversation,
} from './team.contract.ts'
import { only, required } from '../../kit/values/required.ts'

/** A reply is suggested to one of so many messages. */
const MAX_TRIED = 3

/** What the customer wrote since the last answer of staff: questions first, then the newest. */
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
    .limit(MAX_TRIED)
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

  handle(listNotes, async ({ userId }, { db }) => {
    await requireMember(db, userId)
    return readNotes(db, userId)
  }),

  handle(addNote, async ({ userId, note }, { user, db }) => {
    await requireMember(db, userId)
    await inTransaction(db, async (tx) => {
      await tx.insertInto('chatNotes').values({ userId, note, staffId: user.id }).execute()
      await recordAct(tx, { actorId: user.id, act: 'support.noted', subjectId: userId })
    })
    return readNotes(db, userId)
  }),

  handle(listReplies, async (_, { db }) => readReplies(db)),
  handle(saveReply, async ({ title, body }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      await tx
        .insertInto('chatReplies')
        .values({ title, body })
        .onConflict((row) => row.column('title').doUpdateSet({ body }))
        .execute()
      await recordAct(tx, { actorId: user.id, act: 'support.replies', details: { title } })
    })
    return readReplies(db)
  }),
  handle(deleteReply, async ({ id }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      const gone = await tx.deleteFrom('chatReplies').where('id', '=', id).returning('title').executeTakeFirst()
      if (gone) await recordAct(tx, { actorId: user.id, act: 'support.replies', details: { title: gone.title } })
    })
    return readReplies(db)
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

  handle(mergeConversations, async ({ userId, otherId }, { user, db }) => {
    if (userId === otherId) throw new Failure(400, 'Choose another conversation.')
    const [own, other] = [await findConversation(db, userId), await findConversation(db, otherId)]
    await inTransaction(db, async (tx) => {
      // both rows in one order, as any other merge would lock them
      await tx
        .selectFrom('chatConversations')
        .select('userId')
        .where('userId', 'in', [userId, otherId])
        .orderBy('userId')
        .forUpdate()
        .execute()
      const last = await tx
        .selectFrom('chatMessages')
        .select(['author', 'message'])
        .where('userId', '=', otherId)
        .orderBy('createdAt', 'desc')
        .limit(5)
        .execute()
      const said = last
        .toReversed()
        .map(({ author, message }) => `${author === 'user' ? 'Customer' : 'Store'}: ${message.slice(0, 250)}`)
      const note = [`Also wrote as ${other.customer.email}:`, ...said].join('\n').slice(0, 2000)
      await tx.insertInto('chatNotes').values({ userId, otherId, staffId: user.id, note }).execute()
      await tx
        .insertInto('chatNotes')
        .values({ userId: otherId, otherId: userId, staffId: user.id, note: `Goes on with ${own.customer.email}.` })
        .execute()
      await tx
        .updateTable('chatConversations')
        .set({
          waitingSince: sql`least(waiting_since, (SELECT waiting_since FROM chat_conversations WHERE user_id = ${otherId}))`,
        })
        .where('userId', '=', userId)
        .execute()
      await tx
        .updateTable('chatConversations')
        .set({ waitingSince: null, mode: 'assistant' })
        .where('userId', '=', otherId)
        .execute()
      await recordAct(tx, { actorId: user.id, act: 'support.merged', subjectId: otherId })
    })
    return { notes: (await readNotes(db, userId)).length }
  }),

  handle(readResponses, async ({ days = 30 }, { pool }) =>
    asJson(only(await statements.readResponses(pool, { days, formerStaff: 'Former staff' })).json),
  ),
]

async function requireMember(db: Db, userId: string) {
  const members = db.selectFrom('users').select('id').where('id', '=', userId).where('erasedAt', 'is', null)
  if (!(await members.executeTakeFirst())) throw new Failure(404, 'Not found')
}

async function readNotes(db: Db, userId: string) {
  const rows = await db
    .selectFrom('chatNotes as n')
    .leftJoin('users as u', 'u.id', 'n.staffId')
    .select(['n.id', 'n.note', 'n.createdAt', 'u.firstName', 'u.lastName'])
    .where('n.userId', '=', userId)
    .orderBy('n.createdAt')
    .execute()
  return rows.map(({ id, note, createdAt, ...name }) => ({
    id,
    note,
    author: nameOf(name),
    createdAt: createdAt.toISOString(),
  }))
}

const readReplies = (db: Db) => db.selectFrom('chatReplies').select(['id', 'title', 'body']).orderBy('title').execute()
