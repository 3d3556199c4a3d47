import type { Assistant } from '../assistant/assistant.server.ts'
import type { Help } from '../assistant/help/help.server.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { openAnswering } from './chat/answering.server.ts'
import { chatRoutes } from './chat/chat.server.ts'
import { meaningRoutes } from './chat/chips/meanings.server.ts'
import { inboxRoutes } from './inbox/inbox.server.ts'
import { mailInRoutes } from './inbox/mailIn.server.ts'
import { teamRoutes } from './inbox/team.server.ts'
import { presenceRoute } from './presence/presence.server.ts'
import { answerReviewRoutes } from './review/review.server.ts'
import type { SupportConfig } from './support.settings.server.ts'

type Needs = Kit<SupportConfig> & { help: Help; assistant: Assistant }

export const support = {
  open({ config, database, secret, publicUrl, sharedLimiter: limiter, help, assistant }: Needs) {
    const { mind, writer } = assistant
    const answering = mind && openAnswering({ database, mind, model: writer })
    return {
      routes: [
        ...chatRoutes({ config, help }, answering),
        ...meaningRoutes(mind),
        ...inboxRoutes({ config, help, publicUrl, secret }),
        ...mailInRoutes({ config, secret, help, limiter }),
        ...teamRoutes(mind),
        presenceRoute,
        ...answerReviewRoutes(help, mind),
      ],
      close: async () => answering?.close(),
    }
  },
} satisfies Module
