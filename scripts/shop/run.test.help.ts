import { readConfig } from '../../src/app/settings.server.ts'
import { runShop } from '../shop.ts'

export type Ended = { code: number; out: string[]; err: string[] }

export const terminal =
  (env: Record<string, string>) =>
  async (command: string, input = ''): Promise<Ended> => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await runShop(splitWords(command), {
      readConfig: () => readConfig(env),
      print: (line) => void out.push(line),
      warn: (line) => void err.push(line),
      readInput: async () => input,
    })
    return { code, out, err }
  }

/** Splits a line at spaces outside single quotes. */
const splitWords = (command: string) =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
