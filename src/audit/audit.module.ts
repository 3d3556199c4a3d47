import { databaseCheck } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import type { Providers } from '../payments/provider.ts'
import { breachRoutes, checkBreaches } from './breaches.server.ts'
import { auditJobs } from './jobs.server.ts'

export const audit = {
  open: ({ config, database, publicUrl, providers }: Kit<PaymentsConfig> & { providers: Providers }) => ({
    routes: breachRoutes,
    jobs: auditJobs({ ...database, config, publicUrl, providers: providers.list }),
    checks: [databaseCheck('ledger', () => checkBreaches(database.pool))],
  }),
} satisfies Module
