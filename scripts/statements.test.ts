import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSqlFile } from '../src/kit/sql/sqlFile.rules.ts'
import { createTestDatabase } from '../test/database.ts'
import { describeStatements } from './statements.ts'

const MAX_LINES = 30

test('the types of statements match the live schema', async () => {
  const { url, drop } = await createTestDatabase()
  const made = await describeStatements(url)
  await drop()
  // Ignores whitespace, because Prettier breaks long lines.
  const squeeze = (text: string) =>
    text
      .replace(/\s+/g, '')
      .replaceAll(/(?<=[:<=])\|/g, '')
      .replaceAll(/[;,](?=[}>)])/g, '')
      .replaceAll(';', '')
  for (const [file, text] of made) {
    expect(existsSync(file), `run npm run tables: ${file}`).toBe(true)
    expect(squeeze(readFileSync(file, 'utf8'))).toBe(squeeze(text))
  }
})

test.each(globSync('src/**/*.sql').filter((file) => !file.endsWith('.views.sql')))(
  '%s has short statements',
  (file) => {
    const source = readFileSync(file, 'utf8')
    if (!source.includes('-- @name')) return
    const long = parseSqlFile(source).filter(({ text }) => text.split('\n').length > MAX_LINES)
    expect(long.map(({ name }) => name)).toEqual([])
  },
)
