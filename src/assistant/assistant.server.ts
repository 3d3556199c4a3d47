import type { Config } from '../kit/config.server.ts'
import type { Database } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import { NO_MEANING, openMeaning } from '../kit/meaning/meaning.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { openMind } from './answers/answer.server.ts'
import { openProducts } from './answers/products/products.server.ts'
import type { AssistantConfig } from './assistant.settings.server.ts'
import { explanationRoutes } from './explanation/explanation.server.ts'
import { type Help, helpRoutes } from './help/help.server.ts'
import { openModelAnswers } from './model/modelAnswer.server.ts'
import { openAnalysisModel } from './analysisModel.server.ts'
import { openModel } from './model.server.ts'
import { noteCostOf } from './modelCost.store.server.ts'

type Options = {
  config: Pick<Config & AssistantConfig, 'storeName' | 'ai' | 'hasAssistant' | 'hasMeaning'>
  database: Database
  limiter: SharedLimiter
  help: Help
}

export type Assistant = ReturnType<typeof openAssistant>

export function openAssistant({ config, database, limiter, help }: Options) {
  const { pool } = database
  const meaning = config.hasMeaning ? openMeaning() : NO_MEANING
  const products = openProducts(pool, meaning)
  const explainer = config.ai ? openModel(config.ai, limiter, { noteCost: noteCostOf(pool, 'explain') }) : null
  const mind = config.hasAssistant ? openMind({ pool, help, meaning, storeName: config.storeName, products }) : null
  const writer = mind && config.ai ? openModelAnswers({ settings: config.ai, limiter, pool, mind }) : null
  const routes: Route[] = [...helpRoutes(help), ...explanationRoutes(explainer)]
  return {
    routes,
    mind,
    writer,
    analysis: {
      rate: products.nearTo,
      ask: config.ai ? openAnalysisModel(config.ai, limiter, noteCostOf(pool, 'analyze')) : undefined,
    },
    close: () => meaning.stop(),
  }
}
