import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'

export type Terminal = {
  /** Throws a Failure of one line if a setting is wrong. */
  readConfig: () => Config
  say: (line: string) => void
  /** Writes to standard error, apart from the output that scripts read. */
  warn: (line: string) => void
  readInput: () => Promise<string>
}

export type Command = {
  name: string
  /** The arguments that follow the name. */
  usage: string
  about: string
  run: (terminal: Terminal, args: string[]) => Promise<void>
}

export const lineOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>) => `${name} ${usage}`.trim()

/** Splits arguments into options and exactly `places` others. Throws a Failure that shows the usage. */
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

/** Joins a negative number to its option, so that the command can reject the value by the name of the option. */
const withNegatives = (args: string[]) =>
  args.flatMap((arg, i) => {
    const isOfOption = (at: number) => /^-\d/.test(args[at] ?? '') && /^--[^=]+$/.test(args[at - 1] ?? '')
    if (isOfOption(i)) return []
    return isOfOption(i + 1) ? [`${arg}=${args[i + 1]}`] : [arg]
  })

function describe({ message }: Error): string {
  const [, valueless] = /^Option '(--[a-z-]+).*' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (valueless) return `${valueless}: give a value.`
  // Only the first sentence of the parser's message names the option.
  return message.split(/\.\s/)[0]!.replace(/\.?$/, '.')
}

/** Reads a whole number from 1 to `most`. */
export function readCount(name: string, text: string, most: number): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count
  throw new Failure(400, `${name}: give a whole number from 1 to ${most}.`)
}
