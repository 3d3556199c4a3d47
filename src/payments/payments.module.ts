import { HOLDS_SECONDS } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { creditRoutes } from './credit.routes.server.ts'
import { checkCost } from './fees/cost.check.server.ts'
import { methodRoutes } from './methods/methods.server.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'
import { createPayouts } from './payouts/context.server.ts'
import { payoutJobs, payoutRoutes } from './payouts/payouts.server.ts'
import { checkProviders } from './provider.check.server.ts'
import type { Providers } from './provider.ts'
import { walletJobs } from './wallets.server.ts'
import { inboxJobs, webhookRoutes } from './webhooks.server.ts'

export const payments = {
  open({ config, database, secret, publicUrl, providers }: Kit<PaymentsConfig> & { providers: Providers }) {
    const payouts = createPayouts({ ...database, config, providers, publicUrl, secret })
    const cost = checkCost(providers.list, config)
    return {
      routes: [
        ...webhookRoutes(providers.list),
        ...creditRoutes(config, providers.list),
        ...methodRoutes(providers),
        ...payoutRoutes(payouts),
      ],
      jobs: [...walletJobs(database.db, providers), ...inboxJobs(database.db, config), ...payoutJobs(payouts)],
      checks: [
        { name: 'payments', look: () => checkProviders(providers.list), holdsSeconds: HOLDS_SECONDS },
        ...(cost ? [{ name: cost.about, look: () => cost }] : []),
      ],
      parts: { payouts },
    }
  },
} satisfies Module
