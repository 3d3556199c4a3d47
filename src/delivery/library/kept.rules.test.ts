import { expect, test } from 'vitest'
import { bytesOfKept, isKeptCache, keptCacheOf, keptPath, withFile, withoutFile } from './kept.rules.ts'
import type { Owned } from './library.contract.ts'

const owned = { id: 'line' } as Owned
const file = (id: string, sizeBytes = 10) => ({ id, fileName: `${id}.pdf`, sizeBytes })

test('a thing is kept while a file of it is', () => {
  const one = withFile(undefined, owned, file('a'))
  const two = withFile(withFile(one, owned, file('b', 5)), owned, file('b', 7))
  expect(two.files.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(bytesOfKept([two])).toBe(17)
  expect(withoutFile(two, 'a')!.files).toEqual([file('b', 7)])
  expect(withoutFile(one, 'a')).toBeNull()
})

test('the cache of a member is known by its name', () => {
  expect(isKeptCache(keptCacheOf('u'))).toBe(true)
  expect(isKeptCache('build/member/u')).toBe(false)
  expect([keptPath('l'), keptPath('l', 'f')]).toEqual(['/kept/l', '/kept/l/f'])
})
