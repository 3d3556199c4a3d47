import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { deleteReply, listReplies, saveReply } from './team.contract.ts'

export const replyRoutes: Route[] = [
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
]

const readReplies = (db: Db) => db.selectFrom('chatReplies').select(['id', 'title', 'body']).orderBy('title').execute()
