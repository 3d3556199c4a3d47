import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// Files that read text of unlimited length from users: files, mails, codes, headers. Contracts limit all other text.
const READERS = [
  'support/inbox/mailIn.*',
  'catalogue/markdown.rules.ts',
  'catalogue/previews/cut/**',
  'delivery/{codes,files,reading,stamp}/**',
  'kit/{csv,serve,outside}/**',
  'kit/{text,gaps}.rules.ts',
  'selling/csv/**',
  'uploads/**',
]
/** Regular expressions that the checker cannot prove to be linear, with the reason why they are safe. */
const SAFE: Record<string, string> = {
  'catalogue/markdown.rules.ts': 'each repetition of MARKS has a limit',
  'delivery/reading/epub/text.rules.ts': 'reads the first 1,024 bytes of a file',
  'uploads/remote/signIn.server.ts': 'reads a page of the installed library, never a text of users',
}
const SOURCE = join(import.meta.dirname, '../src')
const files = READERS.flatMap((reader) => globSync(reader, { cwd: SOURCE })).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
)

type Literal = { pattern: string; flags: string }

/** Returns all regular expressions of a source text, as `/pattern/flags`. */
function literalsOf(name: string, source: string): Map<string, Literal> {
  const found = new Map<string, Literal>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && node.regex) {
      const { pattern, flags } = node.regex as Literal
      found.set(`/${pattern}/${flags}`, { pattern, flags })
    }
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseSync(name, source).program)
  return found
}

/** Returns the expressions of a source text that are not proven to run in linear time. */
async function slowIn(name: string, source: string): Promise<string[]> {
  const slow: string[] = []
  for (const [text, { pattern, flags }] of literalsOf(name, source)) {
    const { status } = await check(pattern, flags, { timeout: 30_000 })
    if (status !== 'safe') slow.push(text)
  }
  return slow
}
const planted = String.raw`const price = text.replace(/\s*\+$/, '')
const tag = /<([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*")*)>/g`

test('finds a planted quadratic expression', async () => {
  expect(await slowIn('planted.ts', planted)).toHaveLength(2)
})

test('each exception is for a checked file', () => {
  expect(Object.keys(SAFE).filter((file) => !files.includes(file))).toEqual([])
})

test.each(files.filter((file) => !SAFE[file]))(
  'each expression of %s runs in linear time',
  { timeout: 120_000 },
  async (file) => {
    expect(await slowIn(file, readFileSync(join(SOURCE, file), 'utf8'))).toEqual([])
  },
)
