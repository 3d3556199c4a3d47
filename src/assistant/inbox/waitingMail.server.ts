import { sql } from 'kysely'
import type { Tx } from '../../kit/database.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import type { ChatOptions } from '../chat/chat.server.ts'

/** A customer who has waited this long has probably closed the chat. */
const AWAY_AFTER_MINUTES = 2
const LONGEST_EXCERPT = 140

/** Notifies an absent customer of an answer, once for each question. */
export async function notifyCustomer(
  tx: Tx,
  { config, publicUrl }: Pick<ChatOptions, 'config' | 'publicUrl'>,
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
  const path = '/#chat'
  await sendMail(tx, config, {
    key,
    to: asked.email,
    subject: `${config.storeName} has answered your message`,
    lines: ['A person has answered what you wrote in the chat:', answer],
    action: { label: 'Open the chat', url: publicUrl + path },
  })
  const body = answer.length > LONGEST_EXCERPT ? `${answer.slice(0, LONGEST_EXCERPT).trimEnd()}…` : answer
  await sendPush(tx, userId, { key, title: 'Support has answered you', body, url: path })
}
