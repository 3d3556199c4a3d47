import { databaseCheck } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { locationRoutes, openLocator } from './location.server.ts'
import type { LocalisationConfig } from './localisation.settings.server.ts'
import { checkRates, ratesJobs, ratesRoute, refreshOldRates } from './rates.server.ts'

export const localisation = {
  open({ config, database: { db, pool }, hasJobs }: Kit<LocalisationConfig>) {
    const locator = openLocator(config)
    if (hasJobs) void refreshOldRates(config, db).catch(() => undefined)
    return {
      routes: [...locationRoutes(locator), ratesRoute(config)],
      jobs: ratesJobs(config, db),
      checks: [databaseCheck('exchange rates', () => checkRates(pool, config))],
      parts: { locator },
    }
  },
} satisfies Module
