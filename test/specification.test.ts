import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// docs/specification.md lists a test for each clause. These tests find rows whose test was renamed or removed.

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The rows of the tables: the file and the test name of a clause. */
const rows = read('docs/specification.md')
  .split('\n')
  .filter((line) => /^\|.*\|$/.test(line) && !/^\| (Clause|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, clause, file, title]) => ({ clause: clause!, file: file!.replaceAll('`', ''), title: title! }))

test('every row names an existing test', () => {
  expect(
    rows.filter(({ file, title }) => !title || !existsSync(join(ROOT, file)) || !read(file).includes(title)),
  ).toEqual([])
})

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('section %i of the specification has clauses', (section) => {
  const [, text] = read('docs/specification.md').split(`\n## ${section}. `)
  expect(text?.split('\n## ')[0]!.match(/^\| \w.*\.(test|spec)\.ts`/gm)?.length).toBeGreaterThan(5)
})
