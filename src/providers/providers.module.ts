import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { integrationRoutes } from './integrations.server.ts'
import type { OpenProvider, ProviderContext } from './openProvider.server.ts'
import { openProviders } from './providers.server.ts'
import { exceptionRoutes } from './usdc/exceptions.server.ts'
import { guideRoutes } from './usdc/guide.server.ts'
import { ownTransferRoutes } from './usdc/ownTransfer.server.ts'

type Needs = Kit<ProviderContext['config']> & { openers: OpenProvider[] | undefined }

export const providers = {
  async open({ config, database, publicUrl, selfUrl, openers }: Needs) {
    const opened = await openProviders({ config, database, publicUrl, selfUrl }, openers)
    return {
      routes: [
        ...integrationRoutes(opened, { publicUrl }),
        ...opened.routes,
        ...ownTransferRoutes({ config, publicUrl }),
        ...exceptionRoutes,
        ...guideRoutes({ config }),
      ],
      jobs: opened.jobs,
      parts: { providers: opened },
      close: opened.stop,
    }
  },
} satisfies Module
