import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { errorGroupRoutes } from './errors/errorGroups.server.ts'
import { errorJobs, errorRoutes } from './errors/errors.server.ts'
import type { MonitoringConfig } from './monitoring.settings.server.ts'
import { recordRelease } from './release.server.ts'

export const monitoring = {
  async open({ config, database: { db }, secret, limiter, distDir }: Kit<MonitoringConfig>) {
    await recordRelease(db)
    return {
      routes: [...errorRoutes({ distDir, secret, limiter }), ...errorGroupRoutes],
      jobs: errorJobs(db, config),
    }
  },
} satisfies Module
