import type pg from 'pg'
import { readProducts } from '../../catalogue/shelf/list.server.ts'
import type { Config } from '../../kit/config.server.ts'
import type { AssistantConfig } from '../assistant.settings.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { getChat, getChatStatus, sendChat } from './chat.contract.ts'
import { answerText, isInTitle, mayName, statusText } from './chat.rules.ts'
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

const MOST_PRODUCTS = 3
const MOST_WORDS = 6

export const writeLimits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'account', count: 200, seconds: 24 * 3600, isShared: true },
]
const readLimits: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]

export function chatRoutes(pool: pg.Pool, { config, help }: Omit<ChatOptions, 'publicUrl'>): Route[] {
  return [
    handle(getChat, { limits: readLimits }, async (_, { user, db }) => {
      await markRead(db, user.id)
      return readMessages(db, help, user.id)
    }),

    handle(sendChat, { limits: writeLimits }, async ({ message }, { user: { id: userId }, db, header }) => {
      const sent = { userId, author: 'user' as const, message, sendKey: header('idempotency-key') }
      const products = await findProducts(pool, help.wordsOf(message))
      return sendMessage(db, help, sent, (tx) => answer(tx, userId, { articles: help.answering(message), products }))
    }),

    handlePublic(getChatStatus, { limits: readLimits }, async (_, { user, db }) => {
      const isOnline = await areStaffOnline(db)
      const text = statusText(isOnline, config.answersWithinHours)
      const [newest] = user ? await readLatest(db, user.id, 1) : []
      return { isOnline, text, newestId: newest?.id ?? null, hasReply: user !== null && (await hasReply(db, user.id)) }
    }),
  ]
}

/** The ids of the products whose title the message names. */
async function findProducts(pool: pg.Pool, words: string[]): Promise<string[]> {
  if (words.length === 0 || words.length > MOST_WORDS) return []
  const { json } = await readProducts(pool, { q: words.join(' '), limit: MOST_PRODUCTS })
  const found = JSON.parse(json) as { id: string; title: string }[]
  return found.filter(({ title }) => isInTitle(title, words)).map(({ id }) => id)
}

async function answer(tx: Tx, userId: string, found: { articles: string[]; products: string[] }) {
  const { articles, products } = found
  if (!mayName([...articles, ...products], await readLatest(tx, userId, 20))) return
  const message = answerText({ articles: articles.length, products: products.length })
  await addMessage(tx, { userId, author: 'assistant', message, ...found })
}
