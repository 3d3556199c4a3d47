import { expect, test } from 'vitest'
import { findGoOn } from './goOn.rules.ts'
import type { Owned } from './owned.contract.ts'

const owned = (id: string, more: Partial<Owned>) =>
  ({
    ...{ id, title: id, kind: 'file', quantity: 1, openedAt: '2026-11-02T10:00:00Z', closedBy: null },
    ...{ files: null, stop: null, course: null },
    ...more,
  }) as Owned
const files = (name: string) => ({ name, count: 1, sizeBytes: 2048, hasNewer: false })
const stop = (fileName: string, place: string, share: number) => ({ fileId: 'f', fileName, place, share })

const book = owned('book', { files: files('a.pdf'), stop: stop('a.pdf', '3', 0.75) })
const sound = owned('sound', { files: files('a.mp3'), stop: stop('a.mp3', '60.0', 0.25) })
const course = owned('course', { kind: 'course', course: { lessons: 3, done: 1 } })
const code = owned('code', { kind: 'code' })
const fresh = owned('fresh', { files: files('a.epub'), openedAt: null })

test.each([
  ['a book', [book, sound], { label: 'Go on reading', about: 'Page 3 of 4', share: 0.75, href: '/read/book' }],
  ['a sound', [sound, book], { label: 'Go on listening', about: '3 min left' }],
  ['a course', [course], { label: 'Go on learning', about: '1 of 3 lessons', href: '/learn/course' }],
  ['an unopened book', [fresh], { label: 'Start reading', about: '', share: 0 }],
  ['what follows a code', [code, book], { href: '/read/book' }],
  ['what follows a closed book', [{ ...book, closedBy: 'refund' as const }, sound], { href: '/read/sound' }],
  ['what follows a finished book', [{ ...book, stop: stop('a.pdf', '4', 1) }, course], { href: '/learn/course' }],
])('the owner goes on with %s', (_name, things, expected) => {
  expect(findGoOn(things)).toMatchObject(expected)
})

test('an owner of codes and files alone has nothing to go on with', () => {
  expect(findGoOn([code, owned('zip', { files: files('a.zip') })])).toBeNull()
  expect(findGoOn([])).toBeNull()
})
