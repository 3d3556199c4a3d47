import type { Config } from '../../kit/config.server.ts'
import type { AssistantConfig } from '../assistant.settings.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { mayName, statusText } from './chat.rules.ts'
import { addMessage, findNewestId, readLatest, readMessages } from './chat.store.server.ts'
import type { Help } from '../help/help.server.ts'
import { areStaffOnline } from './presence.server.ts'

export type ChatOptions = {
  config: Pick<Config & AssistantConfig, 'answersWithinHours' | 'storeName'>
  help: Help
  publicUrl: string
}

export const writeLimits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'account', count: 200, seconds: 24 * 3600, isShared: true },
]
const readLimits: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]

export function chatRoutes({ config, help }: Omit<ChatOptions, 'publicUrl'>): Route[] {
  return [
    handle(getChat, { limits: readLimits }, (_, { user, db }) => readMessages(db, help, user.id)),

    handle(sendChat, { limits: writeLimits }, async ({ message }, { user, db, header }) => {
      const sendKey = keyOf(header('idempotency-key'))
      const { id } = await inTransaction(db, async (tx) => {
        const sent = await addMessage(tx, { userId: user.id, author: 'user', message, ...(sendKey && { sendKey }) })
        if (sent.isNew) await nameArticles(tx, help, user.id, message)
        return sent
      })
      const [sent] = await readMessages(db, help, user.id, id)
      return sent!
    }),

    handlePublic(getChatStatus, { limits: readLimits }, async (_, { user, db }) => {
      const isOnline = await areStaffOnline(db)
      const text = statusText(isOnline, config.answersWithinHours)
      return { isOnline, text, newestId: user && (await findNewestId(db, user.id)) }
    }),
  ]
}

/** The idempotency key, if the client sent one. Throws a 400 Failure for a key of the wrong length. */
export function keyOf(key: string | undefined): string | undefined {
  if (key !== undefined && (key.length < 1 || key.length > 255))
    throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
  return key
}

/** Answers with help articles that fit the question. */
async function nameArticles(tx: Tx, help: Help, userId: string, message: string) {
  const articles = help.answering(message)
  if (!mayName(articles, await readLatest(tx, userId))) return
  const which = articles.length === 1 ? 'This help article' : 'These help articles'
  await addMessage(tx, {
    userId,
    author: 'assistant',
    message: `${which} might answer your question. A person will also read your message and answer here.`,
    articles,
  })
}
