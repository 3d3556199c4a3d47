import { sql } from 'kysely'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { findConversation } from './queue.store.server.ts'
import { addNote, listNotes, mergeConversations } from './team.contract.ts'

/** Routes for notes about a customer and for the merge, which adds a note to both conversations. */
export const noteRoutes: Route[] = [
  handle(listNotes, async ({ userId }, { user, db }) => {
    await requireOther(db, userId, user.id)
    return readNotes(db, userId)
  }),

  handle(addNote, async ({ userId, note }, { user, db }) => {
    await requireOther(db, userId, user.id)
    await inTransaction(db, async (tx) => {
      await tx.insertInto('chatNotes').values({ userId, note, staffId: user.id }).execute()
      await recordAct(tx, { actorId: user.id, act: 'support.noted', subjectId: userId })
    })
    return readNotes(db, userId)
  }),

  handle(mergeConversations, async ({ userId, otherId }, { user, db }) => {
    if (userId === otherId) throw new Failure(400, 'Choose another conversation.')
    const [own, other] = [await findConversation(db, userId), await findConversation(db, otherId)]
    await inTransaction(db, async (tx) => {
      await lockBoth(tx, [userId, otherId])
      const lines = [`Also wrote as ${other.customer.email}:`, ...(await readLastLines(tx, otherId))]
      const notes = [
        { userId, otherId, note: lines.join('\n').slice(0, 2000) },
        { userId: otherId, otherId: userId, note: `Goes on with ${own.customer.email}.` },
      ]
      for (const note of notes)
        await tx
          .insertInto('chatNotes')
          .values({ ...note, staffId: user.id })
          .execute()
      await moveWait(tx, otherId, userId)
      await recordAct(tx, { actorId: user.id, act: 'support.merged', subjectId: otherId })
    })
    return { notes: (await readNotes(db, userId)).length }
  }),
]

/** Locks both conversations in a fixed order, to avoid deadlocks with another merge. */
const lockBoth = (tx: Tx, userIds: [string, string]) =>
  tx
    .selectFrom('chatConversations')
    .select('userId')
    .where('userId', 'in', userIds)
    .orderBy('userId')
    .forUpdate()
    .execute()

async function readLastLines(tx: Tx, userId: string): Promise<string[]> {
  const newestFirst = await tx
    .selectFrom('chatMessages')
    .select(['author', 'message'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(5)
    .execute()
  return newestFirst
    .toReversed()
    .map(({ author, message }) => `${author === 'user' ? 'Customer' : 'Store'}: ${message.slice(0, 250)}`)
}

async function moveWait(tx: Tx, fromId: string, toId: string) {
  await tx
    .updateTable('chatConversations')
    .set({
      waitingSince: sql`least(waiting_since, (SELECT waiting_since FROM chat_conversations WHERE user_id = ${fromId}))`,
    })
    .where('userId', '=', toId)
    .execute()
  await tx
    .updateTable('chatConversations')
    .set({ waitingSince: null, mode: 'assistant' })
    .where('userId', '=', fromId)
    .execute()
}

/** Throws a Failure unless the member exists and is not the reader, because nobody reads the notes about themselves. */
async function requireOther(db: Db, userId: string, readerId: string) {
  if (userId === readerId) throw new Failure(403, 'Notes about you are for other members of staff.', 'own_account')
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
