import { sql } from 'kysely'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, statement, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { readSql } from '../../kit/sql.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { SUMS } from '../../orders/orders.server.ts'
import { type ChatOptions, writeLimits } from '../chat/chat.server.ts'
import { notePresence, readMessages, sendMessage } from '../chat/chat.store.server.ts'
import { tellCustomerOfTyping } from '../chat/typing.server.ts'
import { mailTokenOf } from './mailIn.server.ts'
import { claimAnswer } from './team.store.server.ts'
import {
  aboutCustomer,
  answerCustomer,
  getThread,
  listConversations,
  MANY_CONVERSATIONS,
  markRead,
  sayTypingTo,
  settleConversation,
} from './inbox.contract.ts'

const EXCERPT = 160
/** A customer who has waited this long has probably closed the chat. */
const AWAY_AFTER_MINUTES = 2
const LONGEST_EXCERPT = 140
const REPLY = 'You can reply to this email. Keep the subject as it is.'

export function inboxRoutes(options: ChatOptions): Route[] {
  const { config, help } = options
  return [
    handle(listConversations, async ({ after }, { user, db }) => {
      await notePresence(db, user.id)
      const found = await readConversations(db, config.answersWithinHours, after)
      const conversations = found.slice(0, MANY_CONVERSATIONS)
      const last = found.length > conversations.length ? conversations.at(-1) : undefined
      return { conversations, ...(await countWaiting(db)), after: last?.userId ?? null }
    }),

    handle(getThread, async ({ userId }, { user, db }) => {
      const row = await findConversation(db, userId)
      return { ...row, isMine: row.assignee?.id === user.id, messages: await readMessages(db, help, userId) }
    }),

    handle(aboutCustomer, async ({ userId }, { db, pool }) => {
      await findConversation(db, userId)
      return asJson((await readCustomer(pool, userId))[0]!.json)
    }),

    handle(
      answerCustomer,
      { limits: writeLimits.map((limit) => ({ ...limit, count: limit.count * 10 })) },
      async ({ userId, message, seenId }, { user, db, header }) => {
        await findConversation(db, userId)
        const sendKey = header('idempotency-key')
        const answer = { userId, author: 'admin' as const, staffId: user.id, message, sendKey }
        const wait = { userId, staffId: user.id, seenId }
        return sendMessage(db, help, answer, async (tx, id) => {
          await claimAnswer(tx, wait, id)
          await notifyCustomer(tx, options, userId, message)
          const details = { message: id }
          await recordAct(tx, { actorId: user.id, act: 'support.answered', subjectId: userId, details })
        })
      },
    ),

    handle(sayTypingTo, async ({ userId }, { pool }) => {
      if ((await tellCustomerOfTyping(pool, userId)).length === 0) throw new Failure(404, 'Not found')
      return { isDone: true }
    }),

    handle(markRead, async ({ userId, messageId }, { db }) => {
      await findMessage(db, userId, messageId)
      await db
        .updateTable('chatConversations')
        .set({ readAt: sql`greatest(read_at, (SELECT created_at FROM chat_messages WHERE id = ${messageId}))` })
        .where('userId', '=', userId)
        .execute()
      const [row] = await conversationRows(db).where('c.userId', '=', userId).execute()
      return { unread: row!.unread }
    }),

    handle(settleConversation, async ({ userId, messageId }, { user, db }) => {
      await findMessage(db, userId, messageId)
      const row = await inTransaction(db, async (tx) => {
        await recordAct(tx, { actorId: user.id, act: 'support.settled', subjectId: userId })
        return tx
          .updateTable('chatConversations')
          .set({
            waitingSince: sql`(SELECT min(created_at) FROM chat_messages WHERE user_id = ${userId} AND author = 'user'
            AND created_at > (SELECT created_at FROM chat_messages WHERE id = ${messageId}))`,
            ...{ mode: 'assistant', settledAt: sql`clock_timestamp()`, score: null, snoozedUntil: null },
          })
          .where('userId', '=', userId)
          .returning('waitingSince')
          .executeTakeFirstOrThrow()
      })
      return { waitingSince: row.waitingSince?.toISOString() ?? null }
    }),
  ]
}

const UNREAD = sql`FROM chat_messages m
  WHERE m.user_id = c.user_id AND m.author = 'user' AND m.created_at > c.read_at`

const conversationRows = (db: Db) =>
  db
    .selectFrom('chatConversations as c')
    .innerJoin('users', 'users.id', 'c.userId')
    .leftJoin('users as agent', 'agent.id', 'c.assigneeId')
    .select(['c.userId', 'c.lastAt', 'c.waitingSince', 'c.mode', 'c.snoozedUntil', 'c.tags', 'c.score', 'c.assigneeId'])
    .select(['agent.firstName as agentFirstName', 'agent.lastName as agentLastName'])
    .select(['users.firstName', 'users.lastName', 'users.email', 'users.createdAt as joinedAt'])
    .select(sql<number>`(SELECT count(*) ${UNREAD})`.as('unread'))

/** The sort order of the inbox; the user id breaks ties. */
const IS_AWAKE = sql`coalesce(c.snoozed_until <= now(), true)`
// those who wait come first, who waits longest on top
const RANK = sql`${IS_AWAKE} AND c.waiting_since IS NOT NULL AND c.mode = 'person', ${IS_AWAKE} AND EXISTS (SELECT ${UNREAD}),
  ${IS_AWAKE} AND c.waiting_since IS NOT NULL, coalesce(-extract(epoch FROM c.waiting_since), extract(epoch FROM c.last_at) - 1e11), c.user_id`

/** Reads one row more than a page holds, which shows if there is a next page. */
async function readConversations(db: Db, answersWithinHours: number, after: string | undefined) {
  const rows = await conversationRows(db)
    .innerJoinLateral(
      (one) =>
        one
          .selectFrom('chatMessages as m')
          .select([sql<string>`left(m.message, ${EXCERPT})`.as('lastMessage'), 'm.author'])
          .whereRef('m.userId', '=', 'c.userId')
          // a waiting customer's own words, not the assistant's answer to them
          .where(sql<boolean>`(c.waiting_since IS NULL OR m.author = 'user')`)
          .orderBy('m.createdAt', 'desc')
          .orderBy('m.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['last.lastMessage', 'last.author'])
    .select(sql<boolean>`c.waiting_since < now() - ${answersWithinHours} * interval '1 hour'`.as('isLate'))
    .$if(after !== undefined, (rest) =>
      rest.where(sql<boolean>`(${RANK}) < (SELECT ${RANK} FROM chat_conversations c WHERE c.user_id = ${after!})`),
    )
    .orderBy(sql`(${RANK})`, 'desc')
    .limit(MANY_CONVERSATIONS + 1)
    .execute()
  return rows.map((row) => ({
    ...customerOf(row),
    ...stateOf(row),
    lastAt: row.lastAt.toISOString(),
    lastMessage: row.lastMessage,
    lastIsFromUser: row.author === 'user',
    unread: row.unread,
    isLate: row.isLate ?? false,
  }))
}

async function countWaiting(db: Db) {
  const { waiting, since } = await db
    .selectFrom('chatConversations')
    .select([sql<number>`count(*)::int`.as('waiting'), sql<Date | null>`min(waiting_since)`.as('since')])
    .where('waitingSince', 'is not', null)
    .executeTakeFirstOrThrow()
  return { waiting, waitingSince: since?.toISOString() ?? null }
}

type Row = Awaited<ReturnType<ReturnType<typeof conversationRows>['execute']>>[number]
const customerOf = ({ userId, firstName, lastName, email, joinedAt }: Row) => ({
  userId,
  name: nameOf({ firstName, lastName }),
  email,
  joinedAt: joinedAt.toISOString(),
})

const stateOf = (row: Row) => ({
  waitingSince: row.waitingSince?.toISOString() ?? null,
  isForPerson: row.mode === 'person',
  assignee:
    row.assigneeId === null
      ? null
      : { id: row.assigneeId, name: nameOf({ firstName: row.agentFirstName, lastName: row.agentLastName }) },
  snoozedUntil: row.snoozedUntil && row.snoozedUntil > new Date() ? row.snoozedUntil.toISOString() : null,
  tags: row.tags,
})

export async function findConversation(db: Db, userId: string) {
  const [row] = await conversationRows(db).where('c.userId', '=', userId).execute()
  if (!row) throw new Failure(404, 'Not found')
  return { customer: customerOf(row), score: row.score, ...stateOf(row) }
}

async function findMessage(db: Db, userId: string, messageId: string) {
  const message = await db
    .selectFrom('chatMessages')
    .select('id')
    .where('id', '=', messageId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!message) throw new Failure(404, 'Not found')
}

const readCustomer = statement<{ json: string }, [userId: string]>(
  'about_customer',
  readSql(new URL('customer.sql', import.meta.url)).replace(':sums', () => SUMS),
)

/** Notifies an absent customer of an answer, once for each question. */
async function notifyCustomer(
  tx: Tx,
  { config, publicUrl, secret }: Pick<ChatOptions, 'config' | 'publicUrl' | 'secret'>,
  userId: string,
  answer: string,
) {
  const asked = await tx
    .selectFrom('chatMessages')
    .innerJoin('users', 'users.id', 'chatMessages.userId')
    .select(['chatMessages.id', 'users.email'])
    .select(
      sql<boolean>`chat_messages.created_at < now() - ${AWAY_AFTER_MINUTES} * interval '1 minute'`.as('isLongAgo'),
    )
    .where('chatMessages.userId', '=', userId)
    .where('author', '=', 'user')
    .orderBy('chatMessages.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!asked?.isLongAgo) return
  const key = `chat:${asked.id}`
  const token = config.mailIn ? `[c-${mailTokenOf(secret, userId)}]` : ''
  const path = '/#chat'
  await sendMail(tx, config, {
    key,
    to: asked.email,
    subject: [`${config.storeName} has answered your message`, token].filter(Boolean).join(' '),
    lines: ['A person has answered what you wrote in the chat:', answer, ...(token ? [REPLY] : [])],
    action: { label: 'Open the chat', url: publicUrl + path },
  })
  const body = answer.length > LONGEST_EXCERPT ? `${answer.slice(0, LONGEST_EXCERPT).trimEnd()}…` : answer
  await sendPush(tx, userId, { key, title: 'Support has answered you', body, url: path })
}
