import { sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type ChatMessage, MANY_MESSAGES } from './chat.contract.ts'
import type { Help } from '../help/help.server.ts'

type Author = 'user' | 'admin' | 'assistant'
export type NewMessage = {
  userId: string
  author: Author
  message: string
  staffId?: string
  articles?: string[]
  /** The client's idempotency key. A repeated key returns the stored message. */
  sendKey?: string
}

/** Adds a message and creates the conversation if needed. Throws a 422 Failure if the key belongs to another text. */
export async function addMessage(
  tx: Tx,
  { articles = [], ...given }: NewMessage,
): Promise<{ id: string; isNew: boolean }> {
  const isFromUser = given.author === 'user'
  const added = await tx
    .with('conversation', (db) =>
      db
        .insertInto('chatConversations')
        .values({ userId: given.userId, lastAt: now })
        .onConflict((row) => row.column('userId').doUpdateSet({ lastAt: now })),
    )
    .insertInto('chatMessages')
    .values({ ...given, articles: JSON.stringify(articles) })
    .onConflict((row) => row.columns(['userId', 'author', 'sendKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return { id: await idOfSame(tx, given), isNew: false }
  if (given.author !== 'assistant')
    await tx
      .updateTable('chatConversations')
      .set({ waitingSince: isFromUser ? sql`coalesce(waiting_since, now())` : null })
      .where('userId', '=', given.userId)
      .execute()
  return { id: added.id, isNew: true }
}

async function idOfSame(tx: Tx, { userId, author, message, sendKey }: NewMessage): Promise<string> {
  const known = await tx
    .selectFrom('chatMessages')
    .select(['id', 'message'])
    .where('userId', '=', userId)
    .where('author', '=', author)
    .where('sendKey', '=', sendKey ?? '')
    .executeTakeFirstOrThrow()
  if (known.message !== message)
    throw new Failure(422, 'This idempotency key was used for another message.', 'key_reused')
  return known.id
}

/** Messages of a conversation, oldest first, or only the one with this id. */
export async function readMessages(db: Db | Tx, help: Help, userId: string, id?: string): Promise<ChatMessage[]> {
  const rows = await db
    .selectFrom('chatMessages as m')
    .leftJoin('users as staff', 'staff.id', 'm.staffId')
    .select(['m.id', 'm.author', 'm.message', 'm.articles', 'm.createdAt', 'staff.firstName'])
    .where('m.userId', '=', userId)
    .$if(id !== undefined, (one) => one.where('m.id', '=', id!))
    .orderBy('m.createdAt', 'desc')
    .orderBy('m.id', 'desc')
    .limit(MANY_MESSAGES)
    .execute()
  return rows.toReversed().map(({ author, articles, createdAt, firstName, ...row }) => ({
    id: row.id,
    message: row.message,
    isFromUser: author === 'user',
    isFromAdmin: author === 'admin',
    staffName: firstName,
    articles: help.linksTo(articles as string[]),
    createdAt: createdAt.toISOString(),
  }))
}

/** The latest messages, newest first, for the assistant's decision. */
export async function readLatest(db: Db | Tx, userId: string) {
  const rows = await db
    .selectFrom('chatMessages')
    .select(['author', 'articles', sql<number>`extract(epoch FROM now() - created_at) / 60`.as('ageMinutes')])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(20)
    .execute()
  return rows.map(({ articles, ...row }) => ({
    ...row,
    ageMinutes: Number(row.ageMinutes),
    articles: articles as string[],
  }))
}

export async function findNewestId(db: Db, userId: string): Promise<string | null> {
  const newest = await db
    .selectFrom('chatMessages')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id ?? null
}
