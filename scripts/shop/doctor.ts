import type pg from 'pg'
import { checkModel } from '../../src/assistant/model.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { checkClock, checkExtension, checkMigrations, checkServer } from './checks.database.ts'
import { checkFolder, checkNode } from '../../src/monitoring/health/machine.checks.server.ts'
import { checkIdentity, checkMail, checkStorage } from '../../src/app/health/services.checks.server.ts'
import { checkAddress, checkReach, checkSecret } from './checks.settings.ts'
import { checkBonus } from '../../src/payments/bonus.check.server.ts'
import { checkPayment } from '../../src/payments/paypal/paypal.check.server.ts'
import { checkJobs, checkMails, checkMoney } from '../../src/monitoring/health/work.checks.server.ts'
import { type Command, readArgs } from './command.ts'
import { countNodes, openStorage, withClient, withServer } from './connection.ts'
import { explain } from './explain.ts'
import { fail, type Finding, ok, showFinding } from '../../src/monitoring/health/finding.rules.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '',
  about: 'Checks every setting and service, and says how to fix what fails',
  run: async (terminal, args) => {
    readArgs(doctorCommand, args, {})
    let failed = 0
    for await (const finding of examine(terminal.readConfig)) {
      terminal.say(showFinding(finding))
      if (finding.grade === 'fail') failed++
    }
    if (failed > 0) throw new Failure(500, failed === 1 ? 'One check failed.' : `${failed} checks failed.`)
  },
}

async function* examine(readConfig: () => Config): AsyncGenerator<Finding> {
  yield checkNode()
  const config = readOr(readConfig)
  if (config instanceof Error)
    return yield fail('settings', explain(config), 'correct it in the environment or in .env')
  yield ok('settings', `all read, NODE_ENV is ${config.mode}`)
  yield checkSecret(config)
  yield checkAddress(config)
  const folder = await checkFolder(config)
  yield folder
  if (folder.grade !== 'fail') yield checkStorage(() => openStorage(config))
  yield checkMail(config)
  if (config.oidc) yield checkIdentity(config.oidc)
  yield checkPayment(config)
  if (config.ai) yield checkModel(config.ai)
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
    return await withServer(config, (url) => withClient(url, (client) => checkDatabase(config, client)))
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

async function checkDatabase(config: Config, client: pg.Client): Promise<Finding[]> {
  const nodes = await countNodes(client)
  const migrations = await checkMigrations(client)
  const findings = [await checkServer(client), migrations, await checkExtension(client), await checkClock(client)]
  findings.push(await checkReach(config, nodes))
  // Another version may lack these tables.
  if (migrations.grade === 'ok') {
    findings.push(await checkJobs(client, nodes), await checkMails(client, config), await checkMoney(client))
    findings.push(await checkBonus(client, config))
  }
  return findings
}
