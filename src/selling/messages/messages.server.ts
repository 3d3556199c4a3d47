import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { only } from '../../kit/values/required.ts'
import { mailMember, mailSupport } from '../../notifications/mail/caseMail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import {
  blockMessages,
  getMessages,
  listOrderSellers,
  listStaffThreads,
  MANY_MESSAGES,
  MANY_THREADS,
  markMessagesRead,
  MAX_UNANSWERED,
  type MessageThread,
  reportMessages,
  sendMessage,
} from './messages.contract.ts'
import { previewOf } from './messages.rules.ts'
import * as statements from './messages.statements.server.ts'

// Messages of a buyer and a seller about their sales. Either side can end the thread. Support reads it.

type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string }
type Sides = statements.FindSidesRow

const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const sends: Limit[] = [{ per: 'account', count: 60, seconds: 3600, isShared: true }]
const changes: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]

const BLOCKED = new Failure(409, 'One of you ended this thread. Write to us in the chat if you need help.', 'blocked')
const GONE = new Failure(409, 'This account was deleted.', 'gone')
const UNANSWERED = new Failure(
  409,
  `You have written ${MAX_UNANSWERED} messages. Wait for an answer, or write to us in the chat.`,
  'unanswered',
)

export const messageRoutes = (mailing: Mailing): Route[] => [
  handle(getMessages, { limits: reads }, async ({ id }, { user, db }) =>
    readThread(db, await findSides(db, { id, userId: user.id })),
  ),

  handle(sendMessage, { limits: sends }, async ({ id, messageId, text }, { user, db }) => {
    const sides = await findSides(db, { id, userId: user.id })
    if (!sides.canReply) throw GONE
    await inTransaction(db, (tx) => send(tx, mailing, sides, { lineId: id, authorId: user.id, messageId, text }))
    return readThread(db, sides)
  }),

  handle(markMessagesRead, { limits: reads }, async ({ id }, { user, db }) => {
    const { buyerId, sellerId } = await findSides(db, { id, userId: user.id })
    await statements.markRead(db, { userId: user.id, buyerId, sellerId })
    return { id }
  }),

  handle(blockMessages, { limits: changes }, async ({ id, isBlocked }, { user, db }) => {
    const sides = await findSides(db, { id, userId: user.id })
    await inTransaction(db, async (tx) => {
      const { id: threadId } = only(await statements.lockThread(tx, sides))
      const change = isBlocked ? statements.blockThread : statements.openThread
      await change(tx, { threadId, userId: user.id })
    })
    return readThread(db, sides)
  }),

  handle(reportMessages, { limits: changes }, async ({ id, note }, { user, db }) => {
    const sides = await findSides(db, { id, userId: user.id })
    await inTransaction(db, async (tx) => {
      const { id: threadId } = only(await statements.lockThread(tx, sides))
      await statements.reportThread(tx, { threadId, userId: user.id, note })
      await statements.blockThread(tx, { threadId, userId: user.id })
      await mailSupport(tx, mailing, {
        key: `messages-reported:${threadId}:${user.id}`,
        subject: `A ${sides.side} reports messages: order ${sides.orderId.slice(-8)}`,
        lines: [note, 'Neither side can write until the one who reported opens the thread again.'],
        action: { label: 'Open the order', path: `/admin/orders/${sides.orderId}` },
      })
    })
    return readThread(db, sides)
  }),

  handle(listOrderSellers, { limits: reads }, async ({ id }, { user, pool }) =>
    asJson(only(await statements.listOrderSellers(pool, { id, userId: user.id })).json),
  ),

  handle(listStaffThreads, { limits: reads }, async ({ memberId = null, orderId = null }, { pool }) =>
    asJson(
      only(await statements.listStaffThreads(pool, { memberId, orderId, limit: MANY_MESSAGES, most: MANY_THREADS }))
        .json,
    ),
  ),
]

/** Throws a Failure 404 unless the member bought or sold this line. */
async function findSides(db: Db, sale: { id: string; userId: string }): Promise<Sides> {
  const [sides] = await statements.findSides(db, sale)
  if (!sides) throw new Failure(404, 'Not found')
  return sides
}

type SendInput = { lineId: string; authorId: string; messageId: string; text: string }

/** Adds a message and notifies the other side, unless it already has an unread one. */
async function send(tx: Tx, mailing: Mailing, sides: Sides, { lineId, authorId, messageId, text }: SendInput) {
  const { buyerId, sellerId, orderId, title, side } = sides
  const { id: threadId, blockedBy } = only(await statements.lockThread(tx, sides))
  if (blockedBy) throw BLOCKED
  const { count, isRead } = only(await statements.readUnanswered(tx, { threadId, authorId }))
  const added = await statements.addMessage(tx, { messageId, threadId, authorId, lineId, text })
  if (added.length === 0) return
  if (count >= MAX_UNANSWERED) throw UNANSWERED
  await statements.markRead(tx, { userId: authorId, buyerId, sellerId })
  if (!isRead) return
  const isToSeller = side === 'buyer'
  const otherId = isToSeller ? sellerId : buyerId
  const path = isToSeller ? `/sales/${lineId}` : `/orders/${orderId}`
  const key = `message:${messageId}`
  const subject = `${isToSeller ? 'A buyer' : 'The seller'} wrote to you about “${title}”`
  await mailMember(tx, mailing, otherId, {
    ...{ key, subject },
    lines: [text, 'Reply on the page. We send no other mail until you have read this one.'],
    action: { label: 'Open and reply', path },
  })
  await sendPush(tx, otherId, { key, title: subject, body: previewOf(text), url: path })
}

async function readThread(db: Db, sides: Sides): Promise<MessageThread> {
  const { buyerId, sellerId, side, name, title, canReply } = sides
  const [found] = await statements.findThread(db, { buyerId, sellerId, limit: MANY_MESSAGES })
  return {
    ...{ side, name, title },
    messages: found?.messages ?? [],
    isUnread: (side === 'buyer' ? found?.hasNewsForBuyer : found?.hasNewsForSeller) ?? false,
    blockedBy: found?.blockedBy ?? null,
    isReported: found?.reportedBy === side,
    canWrite: canReply && !found?.blockedBy,
  }
}

/** Deletes the messages and reports of an account, and its threads without a message of the other side. */
export async function forgetMessagesOf(tx: Tx, userId: string) {
  await statements.forgetMessages(tx, { userId })
  await statements.forgetReports(tx, { userId })
  await statements.forgetEmptyThreads(tx, { userId })
}
