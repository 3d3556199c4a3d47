import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const find = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))

const MAX_RECORDS = 50
const MAX_WORDS = 250

const records = find('decisions/[0-9]*.md').sort()
const numberOf = (record: string) => /^decisions\/(\d{4})-/.exec(record)?.[1]
/** Ignores the punctuation of lists and tables. */
const countWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const folders = 'src,demo,sandbox,sdk,scripts,migrations,test,e2e,bench,drill,deploy,docs,decisions'
const texts = [
  ...find(`{${folders}}/**/*.{ts,tsx,mjs,sql,css,json,md,yaml}`),
  ...find('*.{md,mjs,ts,json,yaml}'),
  '.env.example',
].filter((file) => file !== 'package-lock.json')

test('decisions/ has at most 50 records of at most 250 words, each with its own number', () => {
  expect(records.length).toBeLessThanOrEqual(MAX_RECORDS)
  expect(new Set(records.map(numberOf)).size).toBe(records.length)
  expect(records.filter((record) => countWords(read(record)) > MAX_WORDS)).toEqual([])
})

test.each(records)('%s has its number, a title of several words and a rejected alternative', (record) => {
  const text = read(record)
  expect(text).toMatch(new RegExp(`^# ${Number(numberOf(record))}\\. \\S.* \\S`))
  expect(text).toContain('Rejected')
})

test('the index lists each record by its title', () => {
  const lines = records.map((record) => {
    const [, title] = /^# \d+\. (.*)/.exec(read(record)) ?? []
    return `- [${numberOf(record)}](${record.slice('decisions/'.length)}): ${title}`
  })
  const listed = read('decisions/README.md').match(/^- .*/gm)
  expect(listed?.sort()).toEqual(lines)
})

test('each cited decision exists', () => {
  const numbers = new Set(records.map(numberOf))
  const missing = texts.flatMap((file) => {
    const text = read(file)
    const cited = [...text.matchAll(/\bdecisions?[ /](\d{1,4})(?!\d)/gi)].map(([, number = '']) =>
      number.padStart(4, '0'),
    )
    const linked = [...text.matchAll(/\bdecisions\/(\d{4}-[\w-]+\.md)/g)].map(([, name = '']) => name)
    return [
      ...cited.filter((number) => !numbers.has(number)),
      ...linked.filter((name) => !existsSync(join(ROOT, 'decisions', name))),
    ].map((name) => `${file}: ${name}`)
  })
  expect(texts.length).toBeGreaterThan(1000)
  expect(missing).toEqual([])
})
