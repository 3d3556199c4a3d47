import { expect, test } from 'vitest'
import {
  bytesOfKept,
  coursePath,
  isCoursePath,
  isKeptCache,
  keptCacheOf,
  keptPath,
  readingOf,
  withFile,
  withoutFile,
} from './kept.rules.ts'
import type { ReadFile, Reading } from '../reading/reading.contract.ts'
import type { Owned } from './owned.contract.ts'

const owned = { id: 'line' } as Owned
const file = (id: string, sizeBytes = 10) => ({ id, fileName: `${id}.pdf`, sizeBytes })

test('treats a purchase as stored while one of its files is', () => {
  const one = withFile(undefined, { owned }, file('a'))
  const two = withFile(withFile(one, { owned }, file('b', 5)), { owned }, file('b', 7))
  expect(two.files.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(bytesOfKept([two])).toBe(17)
  expect(withoutFile(two, 'a')!.files).toEqual([file('b', 7)])
  expect(withoutFile(one, 'a')).toBeNull()
})

test('finds the cache of a member by its name', () => {
  expect(isKeptCache(keptCacheOf('u'))).toBe(true)
  expect(isKeptCache('build/member/u')).toBe(false)
  expect([keptPath('l'), keptPath('l', 'f')]).toEqual(['/kept/l', '/kept/l/f'])
})

test('finds stored courses by their path', () => {
  expect([coursePath('l'), keptPath('l'), keptPath('l', 'f')].map(isCoursePath)).toEqual([true, false, false])
})

test('opens the stored files of a line at their last positions', () => {
  const files = ['a', 'b'].map((id) => ({ id, place: '1', share: 0 }) as ReadFile)
  const reading = { title: 'Two files', files } as Reading
  const kept = withFile(undefined, { owned, reading }, file('b'))
  expect(readingOf(kept, () => ({ place: '7', share: 0.5 }))).toEqual({
    title: 'Two files',
    files: [{ id: 'b', place: '7', share: 0.5 }],
  })
  expect(readingOf(kept, () => undefined)!.files).toEqual([files[1]])
  expect(readingOf(withFile(undefined, { owned }, file('a')), () => undefined)).toBeNull()
})
