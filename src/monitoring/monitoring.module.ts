import { type Check, databaseCheck, warn } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { ProviderSettings } from '../providers/live.server.ts'
import { errorGroupRoutes } from './errors/errorGroups.server.ts'
import { errorJobs, errorRoutes } from './errors/errors.server.ts'
import { checkFolder, checkTrialDatabase } from './health/machine.checks.server.ts'
import { checkBackup, checkJobs, checkMails, checkRestoreTest } from './health/work.checks.server.ts'
import type { MonitoringConfig } from './monitoring.settings.server.ts'
import { recordRelease } from './release.server.ts'

const DEMO = ['not set up for real customers', 'set NODE_ENV=production and PUBLIC_URL'] as const

function checksOf(pool: Kit['database']['pool'], config: Kit<ProviderSettings>['config']): Check[] {
  const trial = checkTrialDatabase(config)
  return [
    ...(trial ? [{ name: trial.about, look: () => trial }] : []),
    databaseCheck('jobs', () => checkJobs(pool, 1)),
    databaseCheck('mails', () => checkMails(pool, config)),
    { name: 'disk', look: () => checkFolder(config) },
    databaseCheck('backup', () => checkBackup(pool)),
    databaseCheck('restore test', () => checkRestoreTest(pool)),
    ...(config.mode === 'production' ? [] : [{ name: 'demo', look: () => warn('demo', ...DEMO) }]),
  ]
}

export const monitoring = {
  async open({ config, database: { db, pool }, secret, limiter, distDir }: Kit<MonitoringConfig & ProviderSettings>) {
    await recordRelease(db)
    return {
      routes: [...errorRoutes({ distDir, secret, limiter }), ...errorGroupRoutes],
      jobs: errorJobs(db, config),
      checks: checksOf(pool, config),
    }
  },
} satisfies Module
