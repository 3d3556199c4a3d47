import { text } from 'node:stream/consumers'
import { readConfig } from '../src/app/settings.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { backupCommand } from './shop/backup.ts'
import { codesCommand } from './shop/codes.ts'
import { type Command, explain, lineOf, type Terminal } from './shop/command.ts'
import { closestTo } from './shop/closest.rules.ts'
import { cleanUpAll } from './shop/connection.ts'
import { doctorCommand } from './shop/doctor.ts'
import { ledgerCommand } from './shop/ledger.ts'
import { newsletterCommand } from './shop/newsletter.ts'
import { objectCommands } from './shop/objects.ts'
import { payoutCommands } from './shop/payouts.ts'
import { quarantineCommand } from './shop/quarantine.ts'
import { creditCommand, refundCommand } from './shop/refund.ts'
import { restoreCommand } from './shop/restore.ts'
import { backupCommands } from './shop/restoreTest.ts'
import { storeCommands } from './shop/store.ts'
import { userCommands } from './shop/user.ts'

const commands: Command[] = [
  ...storeCommands,
  ...userCommands,
  refundCommand,
  creditCommand,
  ...payoutCommands,
  ledgerCommand,
  newsletterCommand,
  codesCommand,
  ...objectCommands,
  quarantineCommand,
  ...backupCommands,
  backupCommand,
  restoreCommand,
  doctorCommand,
]

export async function runShop(args: string[], terminal: Terminal): Promise<number> {
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name)
  if (!command) return showHelp(args, terminal)
  const rest = args.slice(command.name.split(' ').length)
  if (rest.some(isHelp)) return showHelp(['help', command.name], terminal)
  try {
    await command.run(terminal, rest)
    return 0
  } catch (error) {
    terminal.warn(explain(error))
    return 1
  }
}

const isHelp = (arg: string) => arg === '--help' || arg === '-h'

function showHelp([first = '', ...more]: string[], terminal: Terminal): number {
  const isHelpWanted = first === 'help' || isHelp(first)
  const name = (isHelpWanted ? more : [first, ...more]).join(' ')
  const named = commands.filter((command) => name !== '' && `${command.name} `.startsWith(`${name} `))
  if (isHelpWanted && named.length > 0) {
    for (const command of named) terminal.print(`npm run shop -- ${lineOf(command)}: ${command.about}`)
    return 0
  }
  const meant = isHelpWanted
    ? undefined
    : closestTo(
        name,
        commands.map((command) => command.name),
      )
  if (meant) {
    terminal.warn(`There is no command '${name}'. Did you mean '${meant}'? npm run shop -- help lists all.`)
    return 1
  }
  const isSuccess = isHelpWanted && name === ''
  const write = isSuccess ? terminal.print : terminal.warn
  write(name === '' ? 'npm run shop -- <command>' : `There is no command '${name}'. There are:`)
  for (const command of commands) write(`  ${lineOf(command)}: ${command.about}`)
  return isSuccess ? 0 : 1
}

if (import.meta.main) {
  // Scripts read standard output, so logs must not appear there.
  setLogLevel('silent')
  let isStopped = false
  const stop = (code: number) => () => {
    isStopped = true
    void cleanUpAll().finally(() => process.exit(code))
  }
  process.once('SIGINT', stop(130)).once('SIGTERM', stop(143))
  process.exitCode = await runShop(process.argv.slice(2), {
    readConfig: () => readConfig(),
    print: (line) => process.stdout.write(`${line}\n`),
    // Stopping a command causes an error that has no meaning for the operator.
    warn: (line) => isStopped || process.stderr.write(`${line}\n`),
    readInput: () => text(process.stdin),
  })
}
