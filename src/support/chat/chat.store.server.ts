import { sql } from 'kysely'
import { compiled, type Db, inTransaction, now, together, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { decimalOf, isoOf } from '../../kit/sql/json.server.ts'
import { quoted } from '../../assistant/answers/draft.rules.ts'
import { type ChatMessage, MANY_MESSAGES } from './chat.contract.ts'
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

const insertMessage = compiled(
  (
    db,
    id: string,
    userId: string,
    author: NewMessage['author'],
    message: string,
    staffId: string | null,
    articles: string,
    products: string[],
    orders: string[],
    isUnsure: boolean,
    offersPerson: boolean,
    isStopped: boolean,
    via: 'chat' | 'mail',
    sendKey: string,
  ) =>
    db
      .with('conversation', (one) =>
        one
          .insertInto('chatConversations')
          .values({ userId, lastAt: now })
          .onConflict((row) => row.column('userId').doUpdateSet({ lastAt: now })),
      )
      .insertInto('chatMessages')
      .values({
        ...{ id, userId, author, message, staffId, articles, products, orders },
        ...{ isUnsure, offersPerson, isStopped, via, sendKey },
      })
      .onConflict((row) => row.columns(['userId', 'author', 'sendKey']).doNothing())
      .returning(['id', 'createdAt']),
)

/**
 * Adds a message and creates the conversation if needed. `onNew` runs unless the key is known: beside the rest for a message of the
 * customer, and while the wait is still noted for an answer of staff. Throws a 422 Failure if the key belongs to another text.
 */
export async function addMessage(tx: Tx, given: NewMessage, onNew?: (tx: Tx, id: string) => Promise<unknown>) {
  const { id = crypto.randomUUID(), articles = [], products = [], orders = [], sendKey = crypto.randomUUID() } = given
  const { userId, author, message, staffId = null, via = 'chat' } = given
  const { isUnsure = false, offersPerson = false, isStopped = false } = given
  const said = [id, userId, author, message, staffId, JSON.stringify(articles), products, orders] as const
  const [added] = await insertMessage(tx, ...said, isUnsure, offersPerson, isStopped, via, sendKey)
  if (!added) return { id: await idOfSame(tx, given), createdAt: null }
  if (author === 'user') await together([startWaiting(tx, userId), onNew?.(tx, added.id) ?? Promise.resolve()])
  else await onNew?.(tx, added.id)
  if (author === 'admin') await stopWaiting(tx, userId)
  return added
}

const startWaiting = compiled((db, userId: string) =>
  db
    .updateTable('chatConversations')
    .set({ waitingSince: sql`coalesce(waiting_since, now())`, snoozedUntil: null })
    .where('userId', '=', userId),
)
const stopWaiting = compiled((db, userId: string) =>
  db.updateTable('chatConversations').set({ waitingSince: null, mode: 'person' }).where('userId', '=', userId),
)

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

/** A new message of a customer, as `readMessages` would read it. */
const ownMessage = (id: string, message: string, createdAt: Date): ChatMessage => ({
  ...{ id, message, isFromUser: true, isFromAdmin: false, staffName: null, createdAt: createdAt.toISOString() },
  ...{ articles: [], products: [], orders: [], isUnsure: false, offersPerson: false, isStopped: false, rating: null },
  isByMail: false,
})

/** Those on sale now, at their price now. */
const PRODUCTS = sql<ChatMessage['products']>`CASE WHEN m.products = '{}' THEN '[]'::json ELSE (
  SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title, 'price', ${sql.raw(decimalOf('p.price_cents'))},
    'suggested', ${sql.raw(decimalOf('p.suggested_cents'))},
    'most', CASE WHEN p.has_variants THEN ${sql.raw(decimalOf('coalesce(p.most_cents, p.price_cents)'))} END, 'categoryId', p.category_id, 'category', c.name, 'imageUrl', '/images/' || p.image_object_id || '/640.webp')
    ORDER BY array_position(m.products, p.id)), '[]')
  FROM products p JOIN categories c ON c.id = p.category_id WHERE p.id = ANY (m.products) AND p.is_listed) END`.as(
  'products',
)

/** The customer's own, whatever ids an answer holds. */
const ORDERS = sql<ChatMessage['orders']>`CASE WHEN m.orders = '{}' THEN '[]'::json ELSE (
  SELECT coalesce(json_agg(json_build_object('id', o.id, 'status', o.status, 'total', ${sql.raw(decimalOf('o.total_cents'))},
    'createdAt', ${sql.raw(isoOf('o.created_at'))}, 'items', (SELECT coalesce(sum(l.quantity), 0) FROM order_lines l WHERE l.order_id = o.id),
    'opens', CASE WHEN o.status = 'completed' THEN (SELECT CASE WHEN bool_or(l.delivery IN ('code', 'license')) THEN 'code'
      WHEN bool_or(l.delivery = 'file') THEN 'file' END FROM order_lines l WHERE l.order_id = o.id) END)
    ORDER BY array_position(m.orders, o.id)), '[]')
  FROM orders o WHERE o.id = ANY (m.orders) AND o.user_id = m.user_id) END`.as('orders')

const newestMessages = (db: Db, userId: string) =>
  db
    .selectFrom('chatMessages as m')
    .leftJoin('users as staff', 'staff.id', 'm.staffId')
    .leftJoin('chatAnswers as a', 'a.answerId', 'm.id')
    .select(['m.id', 'm.author', 'm.message', 'm.articles', 'm.createdAt', 'staff.firstName', 'a.rating'])
    .select(['m.isUnsure', 'm.offersPerson', 'm.isStopped', 'm.via'])
    .select([PRODUCTS, ORDERS])
    .where('m.userId', '=', userId)
    .orderBy('m.createdAt', 'desc')
    .orderBy('m.id', 'desc')
    .limit(MANY_MESSAGES)
const selectMessages = compiled(newestMessages)
const selectMessage = compiled((db, userId: string, id: string) => newestMessages(db, userId).where('m.id', '=', id))

export async function readMessages(db: Db | Tx, help: Help, userId: string, id?: string): Promise<ChatMessage[]> {
  const rows = await (id === undefined ? selectMessages(db, userId) : selectMessage(db, userId, id))
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

/** The customer has read the answers of staff. Writes only if there is an unread one, because every look at the chat calls it. */
export const markRead = compiled((db, userId: string) =>
  db
    .updateTable('chatConversations as c')
    .set({ customerReadAt: now })
    .where('userId', '=', userId)
    .where(
      sql<boolean>`EXISTS (SELECT FROM chat_messages m WHERE m.user_id = c.user_id AND m.author = 'admin' AND m.created_at > c.customer_read_at)`,
    ),
)

// The open page polls every few seconds; one write in this time is enough.
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
