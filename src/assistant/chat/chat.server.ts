import type { Config } from '../../kit/config.server.ts'
import type { AssistantConfig } from '../assistant.settings.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { mayName, statusText } from './chat.rules.ts'
import {
  addMessage,
  areStaffOnline,
  hasReply,
  markRead,
  readLatest,
  readMessages,
  sendMessage,
} from './chat.store.server.ts'
import type { Help } from '../help/help.server.ts'

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
    handle(getChat, { limits: readLimits }, async (_, { user, db }) => {
      await markRead(db, user.id)
      return readMessages(db, help, user.id)
    }),

    handle(sendChat, { limits: writeLimits }, ({ message }, { user: { id: userId }, db, header }) => {
      const sent = { userId, author: 'user' as const, message, sendKey: header('idempotency-key') }
      return sendMessage(db, help, sent, (tx) => nameArticles(tx, help, userId, message))
    }),

    handlePublic(getChatStatus, { limits: readLimits }, async (_, { user, db }) => {
      const isOnline = await areStaffOnline(db)
      const text = statusText(isOnline, config.answersWithinHours)
      const [newest] = user ? await readLatest(db, user.id, 1) : []
      return { isOnline, text, newestId: newest?.id ?? null, hasReply: user !== null && (await hasReply(db, user.id)) }
    }),
  ]
}

async function nameArticles(tx: Tx, help: Help, userId: string, message: string) {
  const articles = help.answering(message)
  if (!mayName(articles, await readLatest(tx, userId, 20))) return
  const which = articles.length === 1 ? 'This help article' : 'These help articles'
  await addMessage(tx, {
    userId,
    author: 'assistant',
    message: `${which} might answer your question. A person will also read your message and answer here.`,
    articles,
  })
}
