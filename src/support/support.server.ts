import type { Assistant } from '../assistant/assistant.server.ts'
import type { Database } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { openAnswering } from './chat/answering.server.ts'
import { type ChatOptions, chatRoutes } from './chat/chat.server.ts'
import { inboxRoutes } from './inbox/inbox.server.ts'
import { mailInRoutes } from './inbox/mailIn.server.ts'
import { teamRoutes } from './inbox/team.server.ts'
import { answerReviewRoutes } from './review/review.server.ts'

type Options = ChatOptions & { database: Database; limiter: SharedLimiter; assistant: Assistant }

/** The chat of members, the inbox of staff and replies by mail. */
export function openSupport({ database, limiter, assistant, ...options }: Options) {
  const { config, help, secret } = options
  const { mind, writer } = assistant
  const answering = mind && openAnswering({ database, mind, model: writer })
  const routes: Route[] = [
    ...chatRoutes({ config, help }, answering),
    ...inboxRoutes(options),
    ...mailInRoutes({ config, secret, help, limiter }),
    ...teamRoutes(mind),
    ...answerReviewRoutes(help, mind),
  ]
  return { routes, close: async () => answering?.close() }
}
