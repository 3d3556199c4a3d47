import type { Identity } from '../identity/identity.server.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import { memberRoutes } from './members/members.server.ts'
import { adminOrderRoutes } from './orders/adminOrders.server.ts'
import { totalsRoute } from './waiting/totals.server.ts'
import { waitingRoutes } from './waiting/waiting.server.ts'

type Needs = Kit<PaymentsConfig> & { identity: Identity }

export const admin = {
  open: ({ config, publicUrl, identity }: Needs) => ({
    routes: [
      ...adminOrderRoutes(config),
      ...memberRoutes({ config, publicUrl, identity }),
      ...waitingRoutes,
      totalsRoute,
    ],
  }),
} satisfies Module
