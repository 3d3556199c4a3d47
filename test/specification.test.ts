import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// docs/specification.md names a test for each clause; a test that was renamed or removed shows here.

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The rows of the tables: the file and the title that a clause names; no file where no test shows it yet. */
const rows = read('docs/specification.md')
  .split('\n')
  .filter((line) => /^\|.*\|$/.test(line) && !/^\| (Clause|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, clause, file, title]) => ({ clause: clause!, file: file!.replaceAll('`', ''), title: title! }))

test('every clause of the table names an existing test or says that none exists yet', () => {
  expect(rows.length).toBeGreaterThan(100)
  const wrong = rows.filter(({ file, title }) =>
    file ? !existsSync(join(ROOT, file)) || !read(file).includes(title) : !title.startsWith('not yet'),
  )
  expect(wrong).toEqual([])
})
