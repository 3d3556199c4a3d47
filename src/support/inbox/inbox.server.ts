import { sql } from 'kysely'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { type ChatOptions, writeLimits } from '../chat/chat.server.ts'
import { notePresence, readMessages, sendMessage } from '../chat/chat.store.server.ts'
import { notifyOfTypingStaff } from '../chat/typing.server.ts'
import { mailTokenOf } from './mailIn.server.ts'
import { noteSettlement } from '../chat/settlements.store.server.ts'
import { countUnread, countWaiting, findConversation, readConversations } from './queue.store.server.ts'
import { claimAnswer } from './team.store.server.ts'
import {
  aboutCustomer,
  answerCustomer,
  getThread,
  listConversations,
  markRead,
  sendTypingTo,
  settleConversation,
} from './inbox.contract.ts'
import { only } from '../../kit/values/required.ts'
import { readCustomer } from './inbox.statements.server.ts'

/** After this wait, the customer has probably closed the chat and gets a mail. */
const AWAY_AFTER_MINUTES = 2
const MAX_EXCERPT_LENGTH = 140
const REPLY = 'You can reply to this email. Keep the subject as it is.'

export function inboxRoutes(options: ChatOptions): Route[] {
  const { config, help } = options
  return [
    handle(listConversations, async ({ after }, { user, db }) => {
      await notePresence(db, user.id)
      const page = await readConversations(db, config.answersWithinHours, after)
      return { ...page, ...(await countWaiting(db)) }
    }),

    handle(getThread, async ({ userId }, { user, db }) => {
      const row = await findConversation(db, userId)
      return { ...row, isMine: row.assignee?.id === user.id, messages: await readMessages(db, help, userId) }
    }),

    handle(aboutCustomer, async ({ userId }, { db, pool }) => {
      await findConversation(db, userId)
      return asJson(only(await readCustomer(pool, { userId })).json)
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

    handle(sendTypingTo, async ({ userId }, { user, pool }) => {
      if (!(await notifyOfTypingStaff(pool, { userId, staffId: user.id }))) throw new Failure(404, 'Not found')
      return { isDone: true }
    }),

    handle(markRead, async ({ userId, messageId }, { db }) => {
      await findMessage(db, userId, messageId)
      await db
        .updateTable('chatConversations')
        .set({ readAt: sql`greatest(read_at, (SELECT created_at FROM chat_messages WHERE id = ${messageId}))` })
        .where('userId', '=', userId)
        .execute()
      return { unread: await countUnread(db, userId) }
    }),

    handle(settleConversation, async ({ userId, messageId }, { user, db }) => {
      await findMessage(db, userId, messageId)
      const row = await inTransaction(db, async (tx) => {
        await recordAct(tx, { actorId: user.id, act: 'support.settled', subjectId: userId })
        await noteSettlement(tx, userId, user.id)
        return tx
          .updateTable('chatConversations')
          .set({
            waitingSince: sql`(SELECT min(created_at) FROM chat_messages WHERE user_id = ${userId} AND author = 'user'
            AND created_at > (SELECT created_at FROM chat_messages WHERE id = ${messageId}))`,
            ...{ mode: 'assistant', snoozedUntil: null },
          })
          .where('userId', '=', userId)
          .returning('waitingSince')
          .executeTakeFirstOrThrow()
      })
      return { waitingSince: row.waitingSince?.toISOString() ?? null }
    }),
  ]
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
  const body = answer.length > MAX_EXCERPT_LENGTH ? `${answer.slice(0, MAX_EXCERPT_LENGTH).trimEnd()}…` : answer
  await sendPush(tx, userId, { key, title: 'Support has answered you', body, url: path })
}
