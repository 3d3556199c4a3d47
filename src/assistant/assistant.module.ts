import { analysisRoutes } from '../catalogue/add-product/analysis.server.ts'
import { HOLDS_SECONDS } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { openAssistant } from './assistant.server.ts'
import type { AssistantConfig } from './assistant.settings.server.ts'
import { type ArticleSettings, readArticles } from './help/articles.server.ts'
import { openHelp } from './help/help.server.ts'
import { checkModel } from './model.server.ts'

export const assistant = {
  open({ config, database, sharedLimiter: limiter }: Kit<AssistantConfig & ArticleSettings>) {
    const help = openHelp(readArticles(config))
    const opened = openAssistant({ config, database, limiter, help })
    return {
      routes: [...opened.routes, ...analysisRoutes(opened.analysis)],
      checks: [{ name: 'AI', look: () => checkModel(config), holdsSeconds: HOLDS_SECONDS }],
      parts: { help, assistant: opened },
      close: opened.close,
    }
  },
} satisfies Module
