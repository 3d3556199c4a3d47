import { createHmac } from 'node:crypto'
import { Failure } from '../../kit/failure.ts'
import { handleToken, type Route } from '../../kit/handle.server.ts'
import { isSameSecret, tokenOf } from '../../kit/secret.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { tidyText } from '../../kit/text.rules.ts'
import { MAX_MESSAGE_LENGTH } from '../chat/chat.rules.ts'
import { sendMessage } from '../chat/chat.store.server.ts'
import type { Help } from '../../assistant/help/help.server.ts'
import type { SupportConfig } from '../support.settings.server.ts'
import { receiveMail } from './mailIn.contract.ts'
import { ownWords, readMail, tokenIn } from './mailIn.rules.ts'

/** Mail services include attachments. The shop stores none. */
const BODY_LIMIT = 12 * 1024 * 1024
const MAX_READ_LENGTH = 50_000
/** Stops an autoresponder from filling a conversation. */
const PER_CUSTOMER = { per: 'account', count: 200, seconds: 24 * 3600 } as const

/** Identifies a conversation in the subject of a mail. Only the shop can create the token. */
export const mailTokenOf = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(`chat mail ${userId}`).digest('hex').slice(0, 20)

/** Receives mail replies. A sender can be forged, so the subject must contain the token of the conversation. */
export function mailInRoutes({
  config: { mailIn },
  secret,
  help,
  limiter,
}: {
  config: Pick<SupportConfig, 'mailIn'>
  secret: string
  help: Help
  limiter: SharedLimiter
}): Route[] {
  if (!mailIn) return []
  return [
    handleToken(
      receiveMail,
      { limits: [{ per: 'address', count: 600, seconds: 60 }], bodyLimit: BODY_LIMIT },
      async (mail, { db, header }) => {
        if (!isSameSecret(tokenOf(header('authorization')), mailIn.token)) throw new Failure(401, 'Unauthorized')
        const { from, subject, text, messageId } = readMail(mail)
        const email = (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase()
        const token = tokenIn(subject)
        const customer = await db
          .selectFrom('users as u')
          .innerJoin('chatConversations as c', 'c.userId', 'u.id')
          .select('u.id')
          .where('u.email', '=', email)
          .where('u.erasedAt', 'is', null)
          .executeTakeFirst()
        const message = tidyText(ownWords(text.slice(0, MAX_READ_LENGTH)))
          .slice(0, MAX_MESSAGE_LENGTH)
          .toWellFormed()
          .trim()
        const isKnown =
          customer !== undefined && token !== null && isSameSecret(token, mailTokenOf(secret, customer.id))
        if (!isKnown || message === '') return { isTaken: false }
        if ((await limiter.take(`chat mail ${customer.id}`, PER_CUSTOMER)) > 0) {
          log.warn('a customer sent more mails than a conversation takes', { userId: customer.id })
          return { isTaken: false }
        }
        const sent = { userId: customer.id, author: 'user' as const, message, via: 'mail' as const }
        await sendMessage(db, help, { ...sent, sendKey: `mail:${messageId}` }, () => Promise.resolve())
        return { isTaken: true }
      },
    ),
  ]
}
