import { checkModel } from '../../assistant/model.server.ts'
import type { Config } from '../settings.server.ts'
import type { Database } from '../../kit/database.server.ts'
import type { Replica } from '../../kit/cluster/replica.server.ts'
import { checkRates } from '../../localisation/rates.server.ts'
import { checkFolder, checkTrialDatabase } from '../../monitoring/health/machine.checks.server.ts'
import { checkBackup, checkJobs, checkMails, checkRestoreTest } from '../../monitoring/health/work.checks.server.ts'
import { fail, type Finding, ok, warn } from '../../monitoring/health/finding.rules.ts'
import { openProbes, type Probe } from '../../monitoring/health/probes.server.ts'
import { checkBreaches } from '../../payments/ledger/ledger.server.ts'
import { checkCost } from '../../payments/fees/cost.check.server.ts'
import { checkProviders } from '../../payments/provider.check.server.ts'
import { checkScanner } from '../../uploads/scan.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { checkIdentity, checkMail, checkStorage } from './services.checks.server.ts'

// The screens poll every five seconds and must show a failure within fifteen.
const HOLDS_SECONDS = 6
const DEMO = ['not set up for real customers', 'set NODE_ENV=production and PUBLIC_URL'] as const

/** Everything the shop depends on, in the order of the status screens. */
export function openShopProbes({
  config,
  database: { pool },
  replica,
  storage,
  providers,
}: {
  config: Config
  database: Database
  replica?: Replica | undefined
  storage: Storage
  providers: Parameters<typeof checkProviders>[0] & Parameters<typeof checkCost>[0]
}) {
  const asked = (name: string, look: () => Promise<Finding>): Probe => ({ name, look, leansOn: 'database' })
  const { oidc } = config
  const [trial, cost] = [checkTrialDatabase(config), checkCost(providers, config)]
  return openProbes([
    { name: 'database', look: () => checkAnswer(pool) },
    ...(trial ? [{ name: trial.about, look: () => trial }] : []),
    ...(replica ? [{ name: 'replica', look: () => checkReplica(replica) }] : []),
    { name: 'storage', look: () => checkStorage(() => storage), holdsSeconds: HOLDS_SECONDS },
    asked('jobs', () => checkJobs(pool, 1)),
    // The connection to the mail server is checked now and then, the queue of mails each time.
    { name: 'mail', look: () => checkMail(config), holdsSeconds: HOLDS_SECONDS },
    asked('mails', () => checkMails(pool, config)),
    ...(oidc ? [{ name: 'sign-in', look: () => checkIdentity(oidc), holdsSeconds: HOLDS_SECONDS }] : []),
    { name: 'payments', look: () => checkProviders(providers), holdsSeconds: HOLDS_SECONDS },
    ...(cost ? [{ name: cost.about, look: () => cost }] : []),
    asked('ledger', () => checkBreaches(pool)),
    asked('exchange rates', () => checkRates(pool, config)),
    { name: 'AI', look: () => checkModel(config), holdsSeconds: HOLDS_SECONDS },
    { name: 'scanner', look: () => checkScanner(config), holdsSeconds: HOLDS_SECONDS },
    { name: 'disk', look: () => checkFolder(config) },
    asked('backup', () => checkBackup(pool)),
    asked('restore test', () => checkRestoreTest(pool)),
    ...(config.mode === 'production' ? [] : [{ name: 'demo', look: () => warn('demo', ...DEMO) }]),
  ])
}

function checkReplica({ isUsable, lagSeconds, mostSeconds }: Replica): Finding {
  if (isUsable()) return ok('replica', `at most ${lagSeconds().toFixed(1)} s behind`)
  const mend = 'see whether it runs and follows the primary; until then all reads go to the primary'
  return warn('replica', `is away or more than ${mostSeconds} s behind`, mend)
}

async function checkAnswer(pool: Database['pool']): Promise<Finding> {
  const start = performance.now()
  try {
    await pool.query('SELECT 1')
  } catch {
    return fail('database', 'does not answer', 'start it again; orders and payments go on by themselves afterwards')
  }
  return ok('database', `answers in ${(performance.now() - start).toFixed(0)} ms`)
}
