import { sql } from 'kysely'
import { type Db, inTransaction, now, together, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { quoted } from '../../assistant/answers/draft.rules.ts'
import { type ChatMessage, MANY_MESSAGES } from './chat.contract.ts'
import * as statements from './chat.statements.server.ts'
import type { Help } from '../../assistant/help/help.server.ts'
import { only } from '../../kit/values/required.ts'

type NewMessage = {
  id?: string
  userId: string
  author: 'user' | 'admin' | 'assistant'
  message: string
  staffId?: string
  articles?: string[]
  products?: string[]
  orders?: string[]
  isUnsure?: boolean
  offersPerson?: boolean
  isStopped?: boolean
  via?: 'chat' | 'mail'
  /** The client's idempotency key. A repeated key returns the stored message. */
  sendKey?: string | undefined
}

/**
 * Adds a message and creates the conversation if needed. `onNew` runs if the key is new: in parallel for a customer's
 * message, and before the wait ends for an answer of staff. Throws a 422 Failure if the key belongs to another text.
 */
export async function addMessage(tx: Tx, given: NewMessage, onNew?: (tx: Tx, id: string) => Promise<unknown>) {
  const { id = crypto.randomUUID(), articles = [], products = [], orders = [], sendKey = crypto.randomUUID() } = given
  const { userId, author, message, staffId = null, via = 'chat' } = given
  const { isUnsure = false, offersPerson = false, isStopped = false } = given
  const [added] = await statements.insertMessage(tx, {
    ...{ id, userId, author, message, staffId, articles: JSON.stringify(articles), products, orders },
    ...{ isUnsure, offersPerson, isStopped, via, sendKey },
  })
  if (!added) return { id: await idOfSame(tx, given), createdAt: null }
  if (author === 'user')
    await together([statements.startWaiting(tx, { userId }), onNew?.(tx, added.id) ?? Promise.resolve()])
  else await onNew?.(tx, added.id)
  if (author === 'admin') await statements.stopWaiting(tx, { userId })
  return added
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

export async function sendMessage(
  db: Db,
  help: Help,
  { sendKey, ...message }: NewMessage,
  onNew: (tx: Tx, id: string) => Promise<unknown>,
): Promise<ChatMessage> {
  if (sendKey !== undefined && (sendKey.length < 1 || sendKey.length > 255))
    throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
  const { id, createdAt } = await inTransaction(db, (tx) =>
    addMessage(tx, { ...message, ...(sendKey && { sendKey }) }, onNew),
  )
  if (createdAt && message.author === 'user') return ownMessage(id, message.message, createdAt)
  return only(await readMessages(db, help, message.userId, id))
}

/** Returns a new message of a customer in the form of `readMessages`. */
const ownMessage = (id: string, message: string, createdAt: Date): ChatMessage => ({
  ...{ id, message, isFromUser: true, isFromAdmin: false, staffName: null, createdAt: createdAt.toISOString() },
  ...{ articles: [], products: [], orders: [], isUnsure: false, offersPerson: false, isStopped: false, rating: null },
  isByMail: false,
})

export async function readMessages(db: Db | Tx, help: Help, userId: string, id?: string): Promise<ChatMessage[]> {
  const rows = await (id === undefined
    ? statements.readMessages(db, { userId, limit: MANY_MESSAGES })
    : statements.readMessage(db, { userId, id }))
  return rows.toReversed().map(({ author, articles, createdAt, firstName, via, ...row }) => ({
    ...row,
    isByMail: via === 'mail',
    isFromUser: author === 'user',
    isFromAdmin: author === 'admin',
    staffName: firstName,
    articles: help.linksTo(articles as string[]),
    products: row.products.map((product) => ({ ...product, title: quoted(product.title) })),
    createdAt: createdAt.toISOString(),
  }))
}

export const markRead = (db: Db, userId: string) => statements.markRead(db, { userId })

// The open page polls every few seconds. One write in this time is enough.
const NOTE_EVERY_SECONDS = 15

export async function notePresence(db: Db, staffId: string) {
  await db
    .insertInto('chatPresence')
    .values({ staffId })
    .onConflict((row) =>
      row
        .column('staffId')
        .doUpdateSet({ seenAt: now })
        .where('chatPresence.seenAt', '<', sql<Date>`now() - ${NOTE_EVERY_SECONDS} * interval '1 second'`),
    )
    .execute()
}
