import { expect, test } from 'vitest'
import { openingOf } from './opening.rules.ts'

const ID = '0198b2de-0000-7000-8000-000000000001'
const base = { id: ID, files: null, stop: null, course: null, closedBy: null }
const file = (name: string, count = 1) => ({
  ...{ ...base, kind: 'file' as const },
  files: { name, count, sizeBytes: 1, hasNewer: false },
})
const code = { ...base, kind: 'code' as const }
const key = { ...base, kind: 'license' as const }
const course = { ...base, kind: 'course' as const, course: { lessons: 3, done: 1 } }
const stored = (fileName: string) => ({ id: 'f', fileName, sizeBytes: 1 })

test.each([
  ['a book', file('a.epub'), { act: 'Read', way: 'page', href: `/read/${ID}` }],
  ['a course that was begun', course, { act: 'Resume', way: 'page', href: `/learn/${ID}` }],
  ['a code', code, { act: 'Show code', way: 'sheet' }],
  ['a licence key', key, { act: 'Show key', way: 'sheet' }],
  ['a file', file('a.zip'), { act: 'Download', way: 'download' }],
  ['several files', file('a.zip', 3), { act: 'Download', way: 'files' }],
  ['a closed book', { ...file('a.epub'), closedBy: 'refund' as const }, null],
])('a press on %s opens it', (_name, owned, opening) => {
  expect(openingOf(owned, [], true)).toEqual(opening)
})

test.each([
  ['a stored book', file('a.epub'), [stored('a.epub')], { act: 'Read', way: 'page', href: `/read/${ID}?file=f` }],
  ['a stored file', file('a.zip'), [stored('a.zip')], { act: 'Download', way: 'kept', file: stored('a.zip') }],
  ['a course', course, [], { act: 'Resume', way: 'page', href: `/learn/${ID}` }],
  ['a book that is not stored', file('a.epub'), [], { act: 'Read', way: 'offline' }],
  ['a code', code, [], { act: 'Show code', way: 'offline' }],
  ['a licence key with a stored file', key, [stored('a.zip')], { act: 'Show key', way: 'offline' }],
])('without a connection a press on %s opens what the device stores', (_name, owned, files, opening) => {
  expect(openingOf(owned, files, false)).toEqual(opening)
})
