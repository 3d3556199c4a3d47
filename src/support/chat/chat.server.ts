import type { Config } from '../../kit/config.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handlePublic, handleRaw, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { describePeople } from '../hours.rules.ts'
import type { Help } from '../../assistant/help/help.server.ts'
import type { SupportConfig } from '../support.settings.server.ts'
import type { Answering } from './answering.server.ts'
import { beginAnswer, beginNewest, rate, setMode } from './answering.store.server.ts'
import {
  ANSWER_LINE,
  askForPerson,
  getChat,
  getChatStatus,
  rateAnswer,
  retryAnswer,
  sendTyping,
  scoreConversation,
  sendChat,
  stopAnswer,
} from './chat.contract.ts'
import type { ReadStatusRow } from './chat.statements.server.ts'
import { markRead, readMessages, sendMessage } from './chat.store.server.ts'
import { score } from './settlements.store.server.ts'
import { readStatus } from './status.store.server.ts'
import { notifyOfTypingCustomer } from './typing.server.ts'
import { required } from '../../kit/values/required.ts'

export type ChatOptions = {
  config: Pick<Config & SupportConfig, 'answersWithinHours' | 'storeName' | 'supportHours' | 'mailIn'>
  help: Help
  publicUrl: string
  secret: string
}

export const writeLimits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'account', count: 200, seconds: 24 * 3600, isShared: true },
]
const readLimits: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const smallLimits: Limit[] = [{ per: 'account', count: 30, seconds: 60 }]

/** `answering` is null in a store where only people answer. */
export function chatRoutes(
  { config, help }: Omit<ChatOptions, 'publicUrl' | 'secret'>,
  answering: Answering | null,
): Route[] {
  return [
    handle(getChat, { limits: readLimits }, async (_, { user, db }) => {
      // the answer stays unread until the member sees it
      if (!user.view) await markRead(db, user.id)
      return readMessages(db, help, user.id)
    }),

    handle(sendChat, { limits: writeLimits }, async ({ message }, { user: { id: userId }, db, header }) => {
      const sent = { userId, author: 'user' as const, message, sendKey: header('idempotency-key') }
      let isForAssistant = false
      const stored = await sendMessage(db, help, sent, async (tx, id) => {
        isForAssistant = answering !== null && (await beginAnswer(tx, userId, id))
      })
      // The message is already stored. Its answer follows in the background.
      if (isForAssistant) required(answering, 'the assistant').start(userId, stored.id)
      return stored
    }),

    handlePublic(getChatStatus, { limits: readLimits }, async (_, { user, pool }) =>
      showStatus(await readStatus(pool, user?.id ?? null), config, answering !== null),
    ),

    handle(sendTyping, { limits: smallLimits }, async (_, { user, pool }) => {
      await notifyOfTypingCustomer(pool, user.id)
      return { isDone: true }
    }),

    handle(stopAnswer, { limits: smallLimits }, async ({ questionId }, { user }) => {
      if (!(await answering?.stop(user.id, questionId))) throw new Failure(409, 'This answer has ended.', 'ended')
      return { isDone: true }
    }),

    handle(retryAnswer, { limits: writeLimits }, async ({ questionId }, { user }) => {
      if (!(await answering?.retry(user.id, questionId)))
        throw new Failure(409, 'This question has an answer.', 'answered')
      return { isDone: true }
    }),

    handle(rateAnswer, { limits: smallLimits }, async ({ messageId, rating, reason }, { user, db }) => {
      if (!(await rate(db, user.id, messageId, rating, reason))) throw new Failure(404, 'Not found')
      return { rating }
    }),

    handle(askForPerson, { limits: smallLimits }, async ({ isWanted }, { user, db }) => {
      const [done] = await setMode(db, user.id, isWanted ? 'person' : 'assistant')
      const { numUpdatedRows } = required(done, 'the result')
      // The newest message to staff, if they have not answered it.
      const questionId = !isWanted && answering ? await beginNewest(db, user.id) : null
      if (questionId) required(answering, 'the assistant').start(user.id, questionId)
      return { isWithPerson: isWanted && numUpdatedRows > 0n }
    }),

    handle(scoreConversation, { limits: smallLimits }, async (given, { user, db }) => {
      if (!(await score(db, user.id, given.score)))
        throw new Failure(409, 'There is nothing to rate yet.', 'not_settled')
      return { isDone: true }
    }),

    handleRaw(
      ANSWER_LINE,
      {
        access: 'member',
        about: 'Server-sent events: the answer to a question of the caller as it is written.',
        limits: smallLimits,
      },
      async ({ user, params, signal }) => {
        const id = params['id'] ?? ''
        if (!answering || !isUuid(id)) throw new Failure(404, 'Not found')
        return {
          status: 200,
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'private, no-store',
            'x-accel-buffering': 'no',
          },
          body: answering.follow(user.id, id, signal),
        }
      },
    ),
  ]
}

function showStatus(
  { isHere, newestId, hasReply, questionId, state, isWithPerson, asksScore }: ReadStatusRow,
  { supportHours: hours, answersWithinHours }: ChatOptions['config'],
  hasAssistant: boolean,
) {
  const isOnline = isHere || hasAssistant
  const personText = describePeople({ isHere, hours, answersWithinHours }, new Date())
  return {
    isOnline,
    hasAssistant,
    text: isOnline ? 'Online' : personText,
    newestId,
    hasReply,
    answering: questionId && state && state !== 'done' ? { questionId, state } : null,
    isWithPerson,
    isPersonHere: isHere,
    personText,
    asksScore,
  }
}
