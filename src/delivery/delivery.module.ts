import { join } from 'node:path'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { deliveryJobs, deliveryRoutes, openVault } from './delivery.server.ts'
import type { DeliveryConfig } from './delivery.settings.server.ts'
import { refusePdf } from './stamp/choice.server.ts'
import { openStamps } from './stamp/stamps.server.ts'
import { openSupplier } from './supply/open.server.ts'

type Mailing = Parameters<typeof deliveryJobs>[0]
type Needs = Kit<DeliveryConfig & { isSandboxOn: boolean }> & Pick<Mailing, 'unsubscribeUrlOf'> & { storage: Storage }

export const delivery = {
  async open({ config, database: { db }, secret, publicUrl, selfUrl, sharedLimiter: limiter, ...shop }: Needs) {
    const { storage, unsubscribeUrlOf } = shop
    const stamps = openStamps({ folder: join(config.dataDir, 'stamped'), storage })
    const vault = await openVault(db, config, secret)
    const { supplier, routes: supplierRoutes } = await openSupplier({ config, selfUrl, secret })
    const refuseUnstampable = (...pdf: [pdf: Parameters<typeof refusePdf>[1], account: string]) =>
      refusePdf(stamps, ...pdf)
    return {
      routes: [...deliveryRoutes({ storage, stamps, secret, vault, limiter, config, publicUrl }), ...supplierRoutes],
      jobs: deliveryJobs({ db, config, publicUrl, unsubscribeUrlOf }),
      parts: { stamps, vault, supplier, refuseUnstampable },
      close: () => stamps.close(),
    }
  },
} satisfies Module
