import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { hintJobs, hintRoutes } from './hints.server.ts'
import { riskJobs } from './holds.server.ts'
import { openRisk } from './risk.server.ts'
import type { RiskConfig } from './risk.settings.server.ts'
import { riskRoutes } from './riskReview.server.ts'

export const risk = {
  open({ config, database: { db }, secret }: Kit<RiskConfig>) {
    const opened = openRisk({ secret, mode: config.riskChecks })
    return {
      routes: [...hintRoutes, ...riskRoutes(opened)],
      jobs: [...hintJobs(db), ...riskJobs(db, config)],
      parts: { risk: opened },
    }
  },
} satisfies Module
