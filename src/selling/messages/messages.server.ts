import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { only } from '../../kit/values/required.ts'
import { mailMember, mailSupport } from '../../notifications/mail/caseMail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import {
  blockMessages,
  type Closed,
  getMessages,
  listOrderSellers,
  MANY_MESSAGES,
  markMessagesRead,
  MAX_OPEN_REPORTS,
  MAX_STARTED,
  MAX_UNANSWERED,
  type MessageThread,
  reportMessages,
  sendMessage,
} from './messages.contract.ts'
import * as statements from './messages.statements.server.ts'

// Messages of a buyer and a seller about their sales. Either side can end the thread. Support reads it.

type Mailing = {
  config: Pick<Config, 'storeName'>
  publicUrl: string
  unsubscribeUrlOf: (list: 'messages', userId: string) => string
}
type Sides = statements.FindSidesRow
type SaleOf = { id: string; userId: string }

const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const sends: Limit[] = [{ per: 'account', count: 60, seconds: 3600, isShared: true }]
const changes: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]

/** The newest messages that a report copies. */
const REPORTED_MESSAGES = 50
/** Days until a closed report is deleted with its copy of the messages. */
const KEEP_REPORTS_DAYS = 90
const AT_ONCE = 1000

const BLOCKED = new Failure(409, 'This thread was ended. Write to us in the chat if you need help.', 'blocked')
const CLOSED: Record<Closed, Failure> = {
  own: BLOCKED,
  other: BLOCKED,
  staff: BLOCKED,
  gone: new Failure(409, 'This account was deleted.', 'gone'),
  suspended: new Failure(409, 'You cannot write to buyers while your account is suspended.', 'suspended'),
  unasked: new Failure(409, 'The product was free. You can write after the buyer has written to you.', 'unasked'),
}
const REUSED = new Failure(409, 'Another message was sent with this id. Send yours again.', 'reused')
const UNANSWERED = new Failure(
  409,
  `You have written ${MAX_UNANSWERED} messages. Wait for an answer, or write to us in the chat.`,
  'unanswered',
)
const MANY = new Failure(
  409,
  `You have written to ${MAX_STARTED} people today who have not answered. Wait for an answer, or write tomorrow.`,
  'many',
)
const MANY_REPORTS = new Failure(409, 'We have your reports. We will read them soon.', 'many_reports')

export const messageRoutes = (mailing: Mailing): Route[] => [
  handle(getMessages, { limits: reads }, async ({ id }, { user, db }) => readThread(db, { id, userId: user.id })),

  handle(sendMessage, { limits: sends }, async ({ id, messageId, text }, { user, db }) => {
    const sale = { id, userId: user.id }
    await inTransaction(db, (tx) => send(tx, mailing, sale, { messageId, text }))
    return readThread(db, sale)
  }),

  handle(markMessagesRead, { limits: reads }, async ({ id, messageId }, { user, db }) => {
    const { buyerId, sellerId } = await findSides(db, { id, userId: user.id })
    await statements.markRead(db, { userId: user.id, buyerId, sellerId, messageId })
    return { id }
  }),

  handle(blockMessages, { limits: changes }, async ({ id, isBlocked }, { user, db }) => {
    const { otherId } = await findSides(db, { id, userId: user.id })
    const change = isBlocked ? statements.addBlock : statements.removeBlock
    await change(db, { userId: user.id, otherId })
    return readThread(db, { id, userId: user.id })
  }),

  handle(reportMessages, { limits: changes }, async ({ id, note }, { user, db }) => {
    const sale = { id, userId: user.id }
    await inTransaction(db, (tx) => report(tx, mailing, sale, note))
    return readThread(db, sale)
  }),

  handle(listOrderSellers, { limits: reads }, async ({ id }, { user, pool }) =>
    asJson(only(await statements.listOrderSellers(pool, { id, userId: user.id })).json),
  ),
]

/** Throws a Failure 404 unless the member bought or sold this line. */
async function findSides(db: Db | Tx, sale: SaleOf): Promise<Sides> {
  const [sides] = await statements.findSides(db, sale)
  if (!sides) throw new Failure(404, 'Not found')
  return sides
}

type SendInput = { messageId: string; text: string }

/** Adds a message and notifies the other side, unless it already has an unread one. */
async function send(tx: Tx, mailing: Mailing, sale: SaleOf, { messageId, text }: SendInput) {
  const sides = await findSides(tx, sale)
  const authorId = sale.userId
  await statements.lockAuthor(tx, { userId: authorId })
  const { id: threadId } = only(await statements.lockThread(tx, sides))
  const [sent] = await statements.findMessage(tx, { messageId })
  if (sent?.threadId === threadId && sent.authorId === authorId && sent.body === text) return
  if (sent) throw REUSED
  const { closed } = only(await statements.findClosed(tx, { ...sale, otherId: sides.otherId }))
  if (closed) throw CLOSED[closed]
  const { count, isRead, isAnswered } = only(await statements.readUnanswered(tx, { threadId, authorId }))
  if (count >= MAX_UNANSWERED) throw UNANSWERED
  if (!isAnswered && only(await statements.countStarted(tx, { threadId, authorId })).count >= MAX_STARTED) throw MANY
  const added = await statements.addMessage(tx, { messageId, threadId, authorId, lineId: sale.id, text })
  if (added.length === 0) throw REUSED
  if (isRead) await notify(tx, mailing, { sides, lineId: sale.id, messageId })
}

type NotifyInput = { sides: Sides; lineId: string; messageId: string }

/** The mail and the push message omit the text of the author. Readers would take it for a text of the store. */
async function notify(tx: Tx, mailing: Mailing, { sides, lineId, messageId }: NotifyInput) {
  const { otherId, orderId, title, side } = sides
  const path = side === 'buyer' ? `/sales/${lineId}` : `/orders/${orderId}`
  const key = `message:${messageId}`
  const subject = `${side === 'buyer' ? 'A buyer' : 'The seller'} wrote to you about “${title}”`
  const { wantsMessages } = await tx
    .selectFrom('users')
    .select('wantsMessages')
    .where('id', '=', otherId)
    .executeTakeFirstOrThrow()
  if (wantsMessages)
    await mailMember(tx, mailing, otherId, {
      ...{ key, subject },
      lines: [
        'Read the message and reply on the page.',
        'The message is not from us. We never ask for a password or a card in a message.',
        'We send no other mail until you have read this message.',
      ],
      action: { label: 'Open and reply', path },
      unsubscribeUrl: mailing.unsubscribeUrlOf('messages', otherId),
    })
  await sendPush(tx, otherId, { key, title: subject, body: 'Open to read it.', url: path })
}

async function report(tx: Tx, mailing: Mailing, sale: SaleOf, note: string) {
  const { userId } = sale
  const sides = await findSides(tx, sale)
  const { otherId, orderId, side } = sides
  const { id: threadId } = only(await statements.lockThread(tx, sides))
  const limits = { limit: REPORTED_MESSAGES, most: MAX_OPEN_REPORTS }
  const [added] = await statements.addReport(tx, { threadId, userId, note, ...limits })
  if (!added) throw MANY_REPORTS
  await statements.addBlock(tx, { userId, otherId })
  await mailSupport(tx, mailing, {
    key: `messages-reported:${added.id}`,
    subject: `A ${side} reports messages: order ${orderId.slice(-8)}`,
    lines: [
      'Read the report and the messages.',
      'Neither side can write until the member who reported the thread opens it again.',
    ],
    action: { label: 'Open the reports', path: '/admin/reports?show=messages' },
    exceptId: otherId,
  })
}

async function readThread(db: Db, sale: SaleOf): Promise<MessageThread> {
  const { buyerId, sellerId, otherId, side, name, title } = await findSides(db, sale)
  const { closed } = only(await statements.findClosed(db, { ...sale, otherId }))
  const { userId } = sale
  const [found] = await statements.findThread(db, { userId, buyerId, sellerId, limit: MANY_MESSAGES })
  const { messages = [], isUnread = false, isReported = false } = found ?? {}
  return { side, name, title, messages, isUnread, isReported, closed }
}

/**
 * Deletes the messages, blocks and closed reports of an erased account, and its threads without a message of the other
 * side. A thread with a report stays until the report is deleted.
 */
export async function forgetMessagesOf(tx: Tx, userId: string) {
  await statements.forgetMessages(tx, { userId })
  await statements.forgetBlocks(tx, { userId })
  await statements.forgetClosedReports(tx, { userId })
  await statements.forgetTimes(tx, { userId })
  const ids = (await statements.listThreads(tx, { userId })).map(({ id }) => id)
  await statements.forgetEmptyThreads(tx, { ids })
}

/** Deletes old closed reports, and the threads of erased accounts that only a report retained. */
export async function forgetOldReports(db: Db) {
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      const forgotten = await statements.forgetOldReports(tx, { days: KEEP_REPORTS_DAYS, most: AT_ONCE })
      await statements.forgetEmptyThreads(tx, { ids: forgotten.map(({ threadId }) => threadId) })
      return forgotten.length
    })
    if (count < AT_ONCE) return
  }
}

export const messageJobs = (db: Db): Job[] => [
  { name: 'sweep_message_reports', pool: 'other', cron: '17 4 * * *', run: () => forgetOldReports(db) },
]
