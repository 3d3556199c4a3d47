import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../../src/app/settings.server.ts'
import { codeOf } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { firstOf } from '../../src/kit/values/required.ts'

export type Terminal = {
  readConfig: () => Config
  print: (line: string) => void
  /** Writes to standard error, because scripts read standard output. */
  warn: (line: string) => void
  readInput: () => Promise<string>
}

export type Command = {
  name: string
  usage: string
  about: string
  run: (terminal: Terminal, args: string[]) => Promise<void>
}

type Read<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>
type Spec<Options extends ParseArgsOptionsConfig> = Omit<Command, 'run' | 'usage'> & {
  usage?: string
  options?: Options
  places?: number
  leastPlaces?: number
  run: (terminal: Terminal, values: Read<Options>['values'], places: string[]) => Promise<void>
}

export const command = <const Options extends ParseArgsOptionsConfig>({
  usage = '',
  options,
  places = 0,
  leastPlaces = places,
  run,
  ...head
}: Spec<Options>): Command => ({
  ...head,
  usage,
  run: async (terminal, args) => {
    const { values, positionals } = readArgs(lineOf({ ...head, usage }), args, options, [leastPlaces, places])
    await run(terminal, values, positionals)
  },
})

export const lineOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>) => `${name} ${usage}`.trim()

function readArgs<const Options extends ParseArgsOptionsConfig>(
  line: string,
  args: string[],
  options: Options | undefined,
  [least, most]: [number, number],
): Read<Options> {
  const usage = `Usage: npm run shop -- ${line}`
  try {
    const read: Read<Options> = parseArgs({ args: withNegatives(args), options, allowPositionals: true })
    const { length } = read.positionals
    if (length >= least && length <= most) return read
  } catch (error) {
    throw new Failure(400, `${describe(error as Error)} ${usage}`)
  }
  throw new Failure(400, usage)
}

/** Joins a negative number to its option, so that the error message can name the option. */
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
  return firstOf(message.split(/\.\s/)).replace(/\.?$/, '.')
}

export function explain(error: unknown): string {
  if (error instanceof Failure) return error.message
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ')
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return `DATABASE_URL: no database answers there (${codeOf(error)}). Start it, or leave the setting out for the embedded one.`
    case '28P01':
    case '28000':
    case '3D000':
      return `DATABASE_URL: the database refuses (${message}). Correct the user, password or name.`
    case 'ENOSPC':
      return 'The disk is full. Make room and try again.'
    case 'EACCES':
    case 'EPERM':
      return `Not allowed (${message}). Run this as the user that runs the shop.`
    default:
      return `It did not work: ${message}`
  }
}
