import { readConfig } from '../src/app/settings.server.ts'
import { setLogLevel } from '../src/kit/log.server.ts'
import { backupCommand } from './shop/backup.ts'
import { cleanUpAll } from './shop/cleanUp.ts'
import { type Command, type Desk, lineOf } from './shop/command.ts'
import { creditCommand } from './shop/credit.ts'
import { doctorCommand } from './shop/doctor.ts'
import { explain } from './shop/explain.ts'
import { migrateCommand } from './shop/migrate.ts'
import { newsCommand } from './shop/newsletter.ts'
import { refundCommand } from './shop/refund.ts'
import { resetCommand } from './shop/reset.ts'
import { restoreCommand } from './shop/restore.ts'
import { seedCommand } from './shop/seed.ts'
import { sessionCommand } from './shop/session.ts'
import { userCommands } from './shop/user.ts'

// npm run shop -- <command>: what an operator does from a terminal.

const commands: Command[] = [
  migrateCommand,
  seedCommand,
  ...userCommands,
  sessionCommand,
  refundCommand,
  creditCommand,
  newsCommand,
  backupCommand,
  restoreCommand,
  resetCommand,
  doctorCommand,
]

/** Runs one command and answers the exit code. Errors are one line on `warn`. */
export async function runShop(args: string[], desk: Desk): Promise<number> {
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name)
  if (!command) return showHelp(args, desk)
  const rest = args.slice(command.name.split(' ').length)
  if (rest.some(isHelp)) return showHelp(['help', command.name], desk)
  try {
    await command.run(desk, rest)
    return 0
  } catch (error) {
    desk.warn(explain(error))
    return 1
  }
}

const isHelp = (arg: string) => arg === '--help' || arg === '-h'

/** One command in a line, those that begin with the same word, or all of them. */
function showHelp([first = '', ...more]: string[], desk: Desk): number {
  const isAsked = first === 'help' || isHelp(first)
  const name = (isAsked ? more : [first, ...more]).join(' ')
  const named = commands.filter((command) => name !== '' && `${command.name} `.startsWith(`${name} `))
  if (isAsked && named.length > 0) {
    for (const command of named) desk.say(`npm run shop -- ${lineOf(command)}: ${command.about}`)
    return 0
  }
  const isFine = isAsked && name === ''
  const tell = isFine ? desk.say : desk.warn
  tell(name === '' ? 'npm run shop -- <command>' : `There is no command '${name}'. There are:`)
  for (const command of commands) tell(`  ${lineOf(command)}: ${command.about}`)
  return isFine ? 0 : 1
}

async function readInput(): Promise<string> {
  return Buffer.concat(await process.stdin.toArray()).toString('utf8')
}

if (import.meta.main) {
  // what a command has to say it says itself; standard output may be read by a script
  setLogLevel('silent')
  let isStopped = false
  const stop = (code: number) => () => {
    isStopped = true
    void cleanUpAll().finally(() => process.exit(code))
  }
  process.once('SIGINT', stop(130)).once('SIGTERM', stop(143))
  process.exitCode = await runShop(process.argv.slice(2), {
    readConfig: () => readConfig(),
    say: (line) => process.stdout.write(`${line}\n`),
    // a command that is stopped fails at whatever it was doing
    warn: (line) => isStopped || process.stderr.write(`${line}\n`),
    readInput,
  })
}
