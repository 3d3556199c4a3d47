import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actOfOwned, pageOf, progressOf } from './progress.rules.ts'

const ID = '0198b2de-0000-7000-8000-000000000001'
const FILE = '0198b2de-0000-7000-8000-000000000002'
const files = (name: string, count = 1) => ({ name, count, sizeBytes: 1, hasNewer: false })
const stop = (fileName: string, place: string, share: number) => ({ fileId: FILE, fileName, place, share })
const file = (name: string, place?: string, share = 0, count = 1) => ({
  ...{ id: ID, kind: 'file' as const, files: files(name, count), course: null },
  stop: place === undefined ? null : stop(name, place, share),
})
const course = (lessons: number, done: number) => ({
  ...{ id: ID, kind: 'course' as const, files: null, stop: null, course: { lessons, done } },
})

test.each([
  ['a PDF at its page', file('a.pdf', '3', 0.75), 'Page 3 of 4', 'Resume'],
  ['a PDF at its end', file('a.pdf', '4', 1), 'Finished', 'Read'],
  ['a book in a chapter', file('a.epub', '3/0.42', 0.42), '42 % read', 'Resume'],
  ['a book at its first words', file('a.epub', '0/0.001', 0.001), '1 % read', 'Resume'],
  ['a sound', file('a.mp3', '60.0', 0.25), '3 min left', 'Resume'],
  ['a sound of hours', file('a.mp3', '600.0', 0.1), '1 h 30 min left', 'Resume'],
  ['a sound near its end', file('a.mp3', '58.0', 0.98), '1 min left', 'Resume'],
  ['a course', course(3, 2), '2 of 3 lessons', 'Resume'],
  ['a finished course', course(3, 3), '3 of 3 lessons', 'Open course'],
])('%s shows its progress and an action', (_name, owned, text, act) => {
  expect(progressOf(owned)?.text).toBe(text)
  expect(actOfOwned(owned)).toBe(act)
})

test.each([
  ['an unopened book', file('a.epub'), 'Read'],
  ['a book opened at its cover', file('a.epub', '0/0', 0), 'Read'],
  ['a file that does not open here', file('a.zip'), 'Download'],
  ['an unopened course', course(3, 0), 'Open course'],
  ['a code', { id: ID, kind: 'code' as const, files: null, stop: null, course: null }, 'Show code'],
])('%s has no progress', (_name, owned, act) => {
  expect(progressOf(owned)).toBeNull()
  expect(actOfOwned(owned)).toBe(act)
})

test.each([
  ['a book', file('a.epub'), `/read/${ID}`],
  ['a book of one file that was begun', file('a.epub', '1/0.5', 0.3), `/read/${ID}`],
  ['one of many files that was begun', file('a.mp3', '9.0', 0.3, 4), `/read/${ID}?file=${FILE}`],
  ['a course', course(3, 0), `/learn/${ID}`],
  ['a file that does not open here', file('a.zip'), null],
  ['a licence key with a file', { ...file('a.pdf'), kind: 'license' as const }, null],
])('%s has its page', (_name, owned, path) => {
  expect(pageOf(owned)).toBe(path)
})

test('each page of a PDF is counted as its reader stored it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5000 }), fc.integer({ min: 1, max: 4999 }), (count, given) => {
      const page = Math.min(given, count - 1)
      // PostgreSQL stores the share as a 4-byte float
      const text = progressOf(file('a.pdf', String(page), Math.fround(page / count)))?.text
      expect(['Finished', `Page ${page} of ${count}`]).toContain(text)
    }),
  )
})
