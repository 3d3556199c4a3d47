import { expect, test } from 'vitest'
import type { Owned } from './owned.contract.ts'
import { libraryPath, readLibraryFilters } from './filters.rules.ts'
import { describeOwned, pickOwned } from './library.rules.ts'

const owned = (title: string, more: Partial<Owned> = {}) =>
  ({ id: title, title, seller: 'Sally P.', kind: 'file', openedAt: null, ...more }) as Owned
const things = [
  owned('Morning song'),
  owned('a card', { kind: 'code', openedAt: '2026-11-02' }),
  owned('Zebra tales', { openedAt: '2026-11-03' }),
]
const pick = (search: string) =>
  pickOwned(things, readLibraryFilters(new URLSearchParams(search))).map(({ title }) => title)

test.each([
  ['', ['Morning song', 'a card', 'Zebra tales']],
  ['show=kept', ['Morning song', 'a card', 'Zebra tales']],
  ['show=code', ['a card']],
  ['show=file&sort=opened', ['Zebra tales', 'Morning song']],
  ['sort=title', ['a card', 'Morning song', 'Zebra tales']],
  ['sort=opened', ['Zebra tales', 'a card', 'Morning song']],
  ['q=SALLY+song', ['Morning song']],
  ['q=nothing', []],
  ['sort=unknown&show=unknown', ['Morning song', 'a card', 'Zebra tales']],
])('the search “%s” finds %j', (search, expected) => expect(pick(search)).toEqual(expected))

test.each(['/library', '/library?q=a+b', '/library?q=x&show=kept&sort=title'])(
  'formats %s and parses it back',
  (path) => expect(libraryPath(readLibraryFilters(new URLSearchParams(path.split('?')[1])))).toBe(path),
)

test.each([
  [owned('x', { files: { name: 'loops.wav', count: 1, sizeBytes: 2048, hasNewer: false } }), 'WAV, 2.0 KB'],
  [owned('x', { files: { name: 'loops.wav', count: 3, sizeBytes: 2048, hasNewer: false } }), '3 files, 2.0 KB'],
  [owned('x', { kind: 'code', quantity: 1, files: null }), 'One code'],
  [owned('x', { kind: 'code', quantity: 2, files: null }), '2 codes'],
  [owned('x', { kind: 'license', quantity: 1, files: null }), 'Licence key'],
])('describes goods in a few words', (thing, text) => expect(describeOwned(thing)).toBe(text))
