import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'

/** What a command gets from the terminal it runs in. */
export type Desk = {
  /** Throws a Failure of one line for a wrong setting. */
  readConfig: () => Config
  say: (line: string) => void
  /** For people only: never part of what a script reads. */
  warn: (line: string) => void
  /** Everything on standard input. */
  readInput: () => Promise<string>
}

export type Command = {
  /** One or two words. */
  name: string
  /** What follows the name. */
  usage: string
  about: string
  run: (desk: Desk, args: string[]) => Promise<void>
}

export const lineOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>) => `${name} ${usage}`.trim()

/** Splits arguments into options and exactly `places` others. Throws a Failure that shows how it is done. */
export function readArgs<const Options extends ParseArgsOptionsConfig>(
  command: Pick<Command, 'name' | 'usage'>,
  args: string[],
  options: Options,
  places = 0,
) {
  const usage = `Usage: npm run shop -- ${lineOf(command)}`
  try {
    const read = parseArgs<{ args: string[]; options: Options; allowPositionals: true }>({
      args: withNegatives(args),
      options,
      allowPositionals: true,
    })
    if (read.positionals.length === places) return read
  } catch (error) {
    throw new Failure(400, `${describe(error as Error)} ${usage}`)
  }
  throw new Failure(400, usage)
}

/** A number below zero is a wrong value, and not an option of its own: the command says what it takes. */
const withNegatives = (args: string[]) =>
  args.flatMap((arg, i) => {
    const isOfOption = (at: number) => /^-\d/.test(args[at] ?? '') && /^--[^=]+$/.test(args[at - 1] ?? '')
    if (isOfOption(i)) return []
    return isOfOption(i + 1) ? [`${arg}=${args[i + 1]}`] : [arg]
  })

function describe({ message }: Error): string {
  const [, valueless] = /^Option '(--[a-z-]+).*' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (valueless) return `${valueless}: give a value.`
  // the first sentence names the option, the rest is about the parser
  return message.split(/\.\s/)[0]!.replace(/\.?$/, '.')
}

/** A whole number from 1 to `most`. */
export function readCount(name: string, text: string, most: number): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count
  throw new Failure(400, `${name}: give a whole number from 1 to ${most}.`)
}
