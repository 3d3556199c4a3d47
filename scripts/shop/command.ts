import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../../src/kit/config.server.ts'
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
      args,
      options,
      allowPositionals: true,
    })
    if (read.positionals.length === places) return read
  } catch (error) {
    // the first sentence names the option, the rest is about the parser
    throw new Failure(400, `${(error as Error).message.split('. ')[0]!.replace(/\.?$/, '.')} ${usage}`)
  }
  throw new Failure(400, usage)
}

/** A whole number from 1 to `most`. */
export function readCount(name: string, text: string, most: number): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count
  throw new Failure(400, `${name}: give a whole number from 1 to ${most}.`)
}
