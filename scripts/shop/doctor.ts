import { existsSync } from 'node:fs'
import type pg from 'pg'
import { checkIdentity } from '../../src/identity/oidc/oidc.check.server.ts'
import { checkMail } from '../../src/kit/mail/mail.check.server.ts'
import { checkStorage } from '../../src/uploads/storage.server.ts'
import { type Config, SETTINGS } from '../../src/app/settings.server.ts'
import { checkModel } from '../../src/assistant/model.server.ts'
import { findMisspelt } from '../../src/kit/config.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { isLoopback } from '../../src/kit/loopback.ts'
import { isUnreleased, UNRELEASED_ADVICE } from '../../src/kit/schema/migrate.server.ts'
import { ownsTables } from '../../src/kit/schema/roles.server.ts'
import { checkRates } from '../../src/localisation/rates.server.ts'
import { fail, type Finding, ok, showFinding, warn } from '../../src/kit/health/finding.rules.ts'
import { checkFolder, checkNode, checkTrialDatabase } from '../../src/monitoring/health/machine.checks.server.ts'
import { checkBackup, checkJobs, checkMails, checkRestoreTest } from '../../src/monitoring/health/work.checks.server.ts'
import { checkBonus } from '../../src/payments/bonus.check.server.ts'
import { checkBreaches, checkMoney } from '../../src/audit/breaches.server.ts'
import { checkPayment } from '../../src/providers/paypal/paypal.check.server.ts'
import { checkStripe } from '../../src/providers/stripe/stripe.check.server.ts'
import { checkChain } from '../../src/providers/usdc/usdc.check.server.ts'
import { command, explain } from './command.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import { checkScanner } from '../../src/uploads/scan.server.ts'
import { countNodes, readApplied, readSchema, secretFile, withClient, withServer } from './connection.ts'
import { only } from '../../src/kit/values/required.ts'

const MIN_VERSION = 150_000
const NOTICED_MS = 1000
const GREATEST_MS = 30_000
const TIMEOUT_MS = 5000

export const doctorCommand = command({
  name: 'doctor',
  about: 'Checks every setting and service, and says how to fix what fails',
  run: async (terminal) => {
    let failed = 0
    for await (const finding of examine(terminal.readConfig)) {
      terminal.print(showFinding(finding))
      if (finding.grade === 'fail') failed++
    }
    if (failed > 0) throw new Failure(500, failed === 1 ? 'One check failed.' : `${failed} checks failed.`)
  },
})

async function* examine(readConfig: () => Config): AsyncGenerator<Finding> {
  yield checkNode()
  const config = readOr(readConfig)
  if (config instanceof Error)
    return yield fail('settings', explain(config), 'correct it in the environment or in .env')
  const misspelt = findMisspelt(SETTINGS)
  for (const line of misspelt) yield warn('settings', line, 'correct the name')
  if (misspelt.length === 0) yield ok('settings', `all read, NODE_ENV is ${config.mode}`)
  yield checkSecret(config)
  yield checkAddress(config)
  const folder = await checkFolder(config)
  yield folder
  if (folder.grade !== 'fail') yield checkStorage(() => openStorage(config))
  yield checkScanner(config)
  yield checkMail(config)
  if (config.oidc) yield checkIdentity(config.oidc)
  if (config.paypal || !config.stripe) yield checkPayment(config)
  const cards = await checkStripe(config)
  if (cards) yield cards
  const coins = await checkChain(config)
  if (coins) yield coins
  yield checkModel(config)
  const trial = checkTrialDatabase(config)
  if (trial) yield trial
  yield* await examineDatabase(config)
}

function readOr<T>(read: () => T): T | Error {
  try {
    return read()
  } catch (error) {
    return error as Error
  }
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withServer(config, ({ url, ownerUrl }) =>
      withClient(ownerUrl, (client) => checkDatabase(config, client, url)),
    )
  } catch (error) {
    return [
      fail(
        'database',
        explain(error),
        config.databaseUrl ? 'correct DATABASE_URL or start the database' : 'see DATA_DIR/postgres/server.log',
      ),
    ]
  }
}

async function checkDatabase(config: Config, client: pg.Client, shopUrl: string): Promise<Finding[]> {
  const nodes = await countNodes(client)
  const migrations = await checkMigrations(client)
  const findings = [await checkServer(client), migrations, await checkExtension(client), await checkClock(client)]
  findings.push(await checkReach(config, nodes))
  // A database at another schema version may lack these tables.
  if (migrations.grade !== 'ok') return findings
  findings.push(
    await checkJobs(client, nodes),
    await checkMails(client, config),
    await checkMoney(client),
    await checkBreaches(client),
    await checkBackup(client),
    await checkRestoreTest(client),
    await checkRates(client, config),
    await checkRole(shopUrl),
  )
  return [...findings, await checkBonus(client, config)]
}

export function checkSecret(config: Pick<Config, 'givenSecret' | 'mode' | 'databaseUrl' | 'dataDir'>): Finding {
  if (config.givenSecret) return ok('secret', 'given')
  const kept = secretFile(config)
  const says = existsSync(kept) ? `kept in ${kept}` : `made on the first start, in ${kept}`
  if (config.mode !== 'production') return ok('secret', says)
  if (config.databaseUrl)
    return fail('secret', 'not given', 'set SECRET to 32 or more characters, the same on every machine')
  return warn('secret', says, 'set SECRET and keep a copy elsewhere: without it sold codes cannot be read')
}

type Address = Pick<Config, 'publicUrl' | 'mode' | 'isProxyTrusted' | 'port'>

export function checkAddress({ publicUrl, mode, isProxyTrusted, port }: Address): Finding {
  const isLive = mode === 'production'
  if (!publicUrl) {
    if (!isLive) return ok('address', `http://localhost:${port} (PUBLIC_URL is not set)`)
    return fail(
      'address',
      'PUBLIC_URL is not set',
      'set it to the https address customers use: links in mails and cookies need it',
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  const isHere = isLoopback(hostname)
  if (protocol === 'https:') {
    if (isProxyTrusted || isHere) return ok('address', publicUrl)
    return warn(
      'address',
      `${publicUrl}, but TRUST_PROXY is 0: all customers behind the TLS proxy share one rate limit`,
      'let the proxy overwrite X-Forwarded-For and set TRUST_PROXY=1',
    )
  }
  if (isHere)
    return isLive
      ? warn('address', `${publicUrl} is for this machine alone`, 'set PUBLIC_URL')
      : ok('address', publicUrl)
  return fail(
    'address',
    `${publicUrl} is not TLS: passwords and sessions travel unencrypted`,
    'put a TLS proxy in front, set PUBLIC_URL to https://...',
  )
}

const readReady = (base: string) =>
  fetch(`${base}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })

const answers = (base: string) =>
  readReady(base).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Warns if the public address does not respond. It never fails, because some routers hide the address from this
 * machine. In a container, a loopback address belongs to the host, so checks the shop's own port instead.
 */
export async function checkReach(
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
  nodes: number,
): Promise<Finding> {
  if (nodes === 0) return ok('shop', 'not running at the moment')
  const says = nodes === 1 ? 'one node runs' : `${nodes} nodes run`
  if (!publicUrl) return ok('shop', says)
  try {
    const answer = await readReady(publicUrl)
    if (answer.ok) return ok('shop', `${says}, ${publicUrl} answers`)
    return warn(
      'shop',
      `${says}, but ${publicUrl}/readyz answers ${answer.status}`,
      'check where the proxy sends requests',
    )
  } catch (error) {
    const isHere = isLoopback(new URL(publicUrl).hostname)
    if (isHere && (await answers(`http://127.0.0.1:${port}`)))
      return ok('shop', `${says}, port ${port} answers; the doctor cannot reach ${publicUrl} from here`)
    const { cause } = error as { cause?: { code?: string } }
    return warn(
      'shop',
      `${says}, but ${publicUrl} does not answer from here (${cause?.code ?? (error as Error).name})`,
      'look at DNS, the certificate and the proxy, from outside too',
    )
  }
}

async function checkServer(client: pg.ClientBase): Promise<Finding> {
  const start = performance.now()
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, split_part(current_setting('server_version'), ' ', 1) AS version`,
  )
  const { number, version } = only(rows)
  const says = `PostgreSQL ${version}, answers in ${(performance.now() - start).toFixed(0)} ms`
  return number >= MIN_VERSION ? ok('database', says) : fail('database', says, 'use PostgreSQL 15 or newer')
}

async function checkMigrations(client: pg.ClientBase): Promise<Finding> {
  if (isUnreleased(await readApplied(client)))
    return fail('migrations', 'the database is from a version before 1.0.0', UNRELEASED_ADVICE)
  const { applied, open, unknown } = await readSchema(client)
  if (unknown.length > 0)
    return fail('migrations', `unknown to this version: ${unknown.join(', ')}`, 'run the newer version of the shop')
  if (applied.length === 0)
    return warn('migrations', 'the database is empty', 'start the shop, or: npm run shop -- migrate')
  if (open.length > 0)
    return fail('migrations', `open: ${open.join(', ')}`, 'make a backup, then: npm run shop -- migrate')
  return ok('migrations', `all ${applied.length} applied`)
}

/** Triggers keep the ledger append-only, but the owner of a table can drop them. */
async function checkRole(shopUrl: string): Promise<Finding> {
  if (!(await withClient(shopUrl, ownsTables))) return ok('role', 'the shop reads and writes rows and owns no table')
  return warn(
    'role',
    "the shop's database role owns the tables, so stolen access could rewrite the ledger",
    'put this role in MIGRATE_DATABASE_URL and another one in DATABASE_URL (docs/operating/postgresql.md)',
  )
}

/** The search needs pg_trgm to match misspelled words. */
async function checkExtension(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<{ isInstalled: boolean; isThere: boolean; isWanted: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "isInstalled",
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "isThere",
       to_regclass('public.products') IS NOT NULL AS "isWanted"`,
  )
  const { isInstalled, isThere, isWanted } = only(rows)
  if (isInstalled) return ok('search', 'pg_trgm is installed')
  if (!isThere) return fail('search', 'the server has no pg_trgm', "install PostgreSQL's contrib package there")
  if (!isWanted) return ok('search', 'pg_trgm is available; the first start installs it')
  return fail('search', 'pg_trgm was removed, and its index with it', 'make a backup and restore it with --yes')
}

async function checkClock(client: pg.ClientBase): Promise<Finding> {
  const start = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  )
  const middle = (start + Date.now()) / 2
  return gradeClock(only(rows).now - middle)
}

/** `aheadMs`: how far the database's clock is ahead of this machine's. */
export function gradeClock(aheadMs: number): Finding {
  const difference = Math.abs(aheadMs)
  if (difference < NOTICED_MS) return ok('clock', `${difference.toFixed(0)} ms from the database's`)
  const says = `${(difference / 1000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's`
  const fix = 'synchronise both machines by NTP'
  return difference < GREATEST_MS ? warn('clock', says, fix) : fail('clock', says, fix)
}
