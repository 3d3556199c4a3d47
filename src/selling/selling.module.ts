import type { Stamps } from '../delivery/stamp/stamps.server.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { balanceRoutes } from './balance/balance.server.ts'
import { customerRoutes } from './customers/customers.server.ts'
import { exportRoute } from './csv/export.server.ts'
import { discountUseRoutes } from './discounts/discountUses.server.ts'
import { importJobs, importRoutes } from './csv/import.server.ts'
import { followJobs } from './follows/followMails.server.ts'
import { followRoutes } from './follows/follows.server.ts'
import { openUnfollow } from './follows/unfollow.pages.server.ts'
import { messageJobs, messageRoutes } from './messages/messages.server.ts'
import { staffMessageRoutes } from './messages/staffMessages.server.ts'
import { newsJobs, newsRoutes } from './news/news.server.ts'
import { overviewRoutes } from './overview/overview.server.ts'
import { openSales } from './sales/sales.server.ts'
import { sellingRoutes } from './selling.server.ts'
import type { SellingConfig } from './selling.settings.server.ts'
import { storefrontRoutes } from './storefront/storefront.server.ts'

type Needs = Kit<SellingConfig & PaymentsConfig> &
  Pick<Parameters<typeof messageRoutes>[0], 'unsubscribeUrlOf'> &
  Pick<Parameters<typeof openUnfollow>[0], 'unsubscribeUrlOf'> & { storage: Storage; stamps: Stamps }

export const selling = {
  open({ config, database, secret, publicUrl, storage, stamps, unsubscribeUrlOf }: Needs) {
    const sales = openSales({ database, config, publicUrl })
    const { routes: unfollowRoutes, unfollowUrlOf } = openUnfollow({
      db: database.db,
      storeName: config.storeName,
      secret,
      publicUrl,
      unsubscribeUrlOf,
    })
    return {
      routes: [
        ...sellingRoutes({ storage, stamps, publicUrl }),
        ...overviewRoutes,
        ...customerRoutes(config),
        ...discountUseRoutes,
        ...balanceRoutes(config),
        ...sales.routes,
        ...newsRoutes,
        ...messageRoutes({ config, publicUrl, unsubscribeUrlOf }),
        ...staffMessageRoutes({ config, publicUrl }),
        ...storefrontRoutes({ storage, publicUrl }),
        ...followRoutes,
        ...unfollowRoutes,
        ...importRoutes,
        exportRoute,
      ],
      jobs: [
        ...importJobs(database),
        ...messageJobs(database.db),
        ...sales.jobs,
        ...newsJobs(database.db, { config, publicUrl }),
        ...followJobs(database.db, { config, publicUrl, unfollowUrlOf, unsubscribeUrlOf }),
      ],
      parts: { views: sales.views, unfollowUrlOf },
      close: () => sales.views.stop(),
    }
  },
} satisfies Module
