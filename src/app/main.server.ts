import { join } from 'node:path'
import { findMisspelt, readSecret } from '../kit/config.server.ts'
import { type Config, readConfig, SETTINGS } from './settings.server.ts'
import { isDatabaseAway, retryWhileAway } from '../kit/database.server.ts'
import { checkTrialDatabase } from '../monitoring/health/machine.checks.server.ts'
import { startEmbedded } from '../kit/embedded/embedded.server.ts'
import { Failure } from '../kit/failure.ts'
import { log, setLogLevel } from '../kit/log/log.server.ts'
import { startTracing } from '../kit/log/trace.server.ts'
import { release } from '../monitoring/release.server.ts'
import { prepareSchema } from './schema.server.ts'
import { openShop, type Shop } from './shop.server.ts'

// Starts the shop: settings, database, migrations, demo store at the first run, HTTP. Runs until a signal stops it.

type Stop = () => Promise<void>

// The started parts, in order. A stop during the start waits for the start.
const stops: Stop[] = []

async function start() {
  const config = readConfig()
  setLogLevel(config.logLevel)
  for (const line of findMisspelt(SETTINGS)) log.warn(line)
  const addresses =
    config.addresses ||
    (await startPart(startEmbedded({ dataDir: config.dataDir, say }), (database) => database.stop()))
  const trial = checkTrialDatabase(config)
  if (trial) log.warn(trial.says, { next: trial.mend })
  await prepareSchema(config, addresses)
  if (config.tracesUrl) {
    const { tracesUrl: endpoint, storeName: name } = config
    await startPart(startTracing({ endpoint, name, version: release }), (stop) => stop())
  }
  const opening = openShop({ config, databaseUrl: addresses.url, secret: readSecret(config) })
  const shop = await startPart(opening, ({ close }) => close())
  // In production, every line of the output is JSON.
  if (config.mode === 'production') log.info('the shop is open', { url: shop.server.url })
  else {
    const accounts = await retryWhileAway(() => seedOnce(shop, config.dataDir))
    greet(config, shop, accounts)
    if (accounts && config.mode === 'development' && config.isSandboxOn) await sellOnce(config, shop, accounts)
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

function startPart<Part>(starting: Promise<Part>, stop: (part: Part) => Promise<void>): Promise<Part> {
  stops.push(() => starting.then(stop, () => {}))
  return starting
}

async function stopAll() {
  for (const stop of stops.splice(0).toReversed()) await stop()
}

async function seedOnce(shop: Shop, dataDir: string) {
  const { seedDemo } = await import('../../demo/seed.ts')
  return seedDemo({ ...shop, accountsFile: join(dataDir, 'demo-accounts.json') })
}

type Accounts = NonNullable<Awaited<ReturnType<typeof seedOnce>>>

/** Adds the demo sales after the shop opens. The store works without them, so logs a failure only. */
async function sellOnce({ fee, payoutHoldDays }: Config, shop: Shop, accounts: Accounts) {
  const { addSales } = await import('../../demo/sales.ts')
  const emailOf = (wanted: string) => accounts.find(({ role }) => role === wanted)?.email ?? ''
  const people = { seller: emailOf('seller'), admin: emailOf('admin') }
  await addSales({ ...shop, fee, payoutHoldDays }, people).catch((error: unknown) =>
    log.warn('the sales of the demo seller are incomplete', { error }),
  )
}

function greet(
  { storeName, smtpUrl }: Pick<Config, 'storeName' | 'smtpUrl'>,
  { server }: Shop,
  accounts: Awaited<ReturnType<typeof seedOnce>>,
) {
  const isMailSent = smtpUrl !== undefined
  const rows = (accounts ?? []).map(
    ({ role, email, password }) => `    ${role.padEnd(8)} ${email.padEnd(22)} ${password}`,
  )
  const lines = [
    '',
    `  ${storeName} is open: ${server.url}`,
    '',
    ...(rows.length > 0
      ? [
          '  Sign in as',
          ...rows,
          `  or sign up; mails are ${isMailSent ? 'sent' : `shown at ${server.url}/dev/mail`}`,
          '',
        ]
      : []),
    '  Ctrl-C stops it.',
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Returns one line with the cause and the next step. */
function explain(error: unknown): string {
  if (error instanceof Failure) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'The port is taken. Stop what uses it, or start with another: PORT=3001 npm start'
  if (code === 'EACCES')
    return `Not allowed to listen there (${message}). Choose a port above 1023: PORT=3000 npm start`
  if (code === 'EAI_AGAIN')
    return 'DATABASE_URL: the name of its host cannot be resolved. Wait for the name server, or correct the name.'
  if (code === '0A000' && message.includes('SQL_ASCII'))
    return "DATABASE_URL: the database is not in UTF-8. Make it with: CREATE DATABASE primo ENCODING 'UTF8' TEMPLATE template0"
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return 'DATABASE_URL: no database answers there. Start it, or leave the setting out for the embedded one.'
  if (code === 'ENOSPC') return 'The disk is full. Make room in DATA_DIR and start again.'
  if (code === '28P01' || code === '28000' || code === '3D000')
    return `DATABASE_URL: the database refuses (${message}). Correct the user, password or name.`
  if (code === '42501')
    return `The database refuses (${message}). Set MIGRATE_DATABASE_URL to the role that owns the tables.`
  return `The shop cannot start: ${message}`
}

process.on('unhandledRejection', (error) => {
  // Without the database, the job queue cannot record the end of a job. It retries the job later.
  if (isDatabaseAway(error)) log.warn('the database went away under a job', { error })
  else log.error('an unhandled rejection', { error })
})

let stoppingSince = 0

function end(code: number) {
  // One Ctrl-C arrives twice: from the terminal and through npm. Only a later signal forces the exit.
  if (stoppingSince && performance.now() - stoppingSince > 2000) process.exit(1)
  if (stoppingSince) return
  stoppingSince = performance.now()
  stopAll().then(
    () => process.exit(code),
    (error: unknown) => {
      log.error('the shop did not stop cleanly', { error })
      process.exit(1)
    },
  )
}

process.on('SIGINT', () => end(0))
process.on('SIGTERM', () => end(0))
process.on('SIGHUP', () => end(0))
// The reader of the log has closed the pipe. Logging that would fail too.
process.stdout.on('error', () => {
  setLogLevel('silent')
  end(1)
})
process.on('uncaughtException', (error) => {
  log.error('an uncaught exception; the shop stops', { error })
  end(1)
})

start().catch((error: unknown) => {
  // A stop makes the running step of the start fail.
  if (stoppingSince) return
  process.stderr.write(`${explain(error)}\n`)
  if (!(error instanceof Failure)) log.debug('start failed', { error })
  // During shutdown, components log lost connections. Silence them.
  setLogLevel('silent')
  end(1)
})
