import type { Database } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import { NO_MEANING, openMeaning } from '../kit/meaning/meaning.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { openMind } from './answers/answer.server.ts'
import { openProducts } from './answers/products.server.ts'
import { openAnswering } from './chat/answering.server.ts'
import { type ChatOptions, chatRoutes } from './chat/chat.server.ts'
import type { AssistantConfig } from './assistant.settings.server.ts'
import { explanationRoutes } from './explanation/explanation.server.ts'
import { helpRoutes } from './help/help.server.ts'
import { inboxRoutes } from './inbox/inbox.server.ts'
import { mailInRoutes } from './inbox/mailIn.server.ts'
import { teamRoutes } from './inbox/team.server.ts'
import { openModelAnswers } from './model/modelAnswer.server.ts'
import { openAnalysisModel } from './analysisModel.server.ts'
import { openModel } from './model.server.ts'
import { noteCostOf } from './modelCost.store.server.ts'
import { answerReviewRoutes } from './review/review.server.ts'

type Options = Omit<ChatOptions, 'config'> & {
  config: ChatOptions['config'] & Pick<AssistantConfig, 'ai' | 'hasAssistant' | 'hasMeaning'>
  database: Database
  limiter: SharedLimiter
}

/** The whole room: what understands, what answers, and the pages of staff. */
export function openAssistant({ config, database, limiter, ...options }: Options) {
  const { help, secret } = options
  const { pool } = database
  const meaning = config.hasMeaning ? openMeaning() : NO_MEANING
  const products = openProducts(pool, meaning)
  const explainer = config.ai ? openModel(config.ai, limiter, { noteCost: noteCostOf(pool, 'explain') }) : null
  const mind = config.hasAssistant ? openMind({ pool, help, meaning, storeName: config.storeName, products }) : null
  const writer = mind && config.ai ? openModelAnswers({ settings: config.ai, limiter, pool, mind, help }) : null
  const answering = mind && openAnswering({ database, mind, model: writer })
  const routes: Route[] = [
    ...chatRoutes({ config, help }, answering),
    ...inboxRoutes({ ...options, config }),
    ...mailInRoutes({ config, secret, help, limiter }),
    ...teamRoutes(mind),
    ...answerReviewRoutes(help, mind),
    ...helpRoutes(help),
    ...explanationRoutes(explainer),
  ]
  return {
    routes,
    /** What AI Analyze needs. */
    analysis: {
      rate: products.nearTo,
      ask: config.ai ? openAnalysisModel(config.ai, limiter, noteCostOf(pool, 'analyze')) : undefined,
    },
    close: async () => {
      await answering?.close()
      await meaning.stop()
    },
  }
}
