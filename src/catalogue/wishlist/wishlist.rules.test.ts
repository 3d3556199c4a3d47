import { expect, test } from 'vitest'
import type { Saved } from './wishlist.contract.ts'
import { putBack, takeOut } from './wishlist.rules.ts'

const saved = (id: string, day: number) => ({ id, savedAt: `2026-11-0${day}T00:00:00.000Z` }) as Saved
const list = [saved('c', 3), saved('b', 2), saved('a', 1)]

test('restores a removed product at its old position', () => {
  expect(putBack(takeOut(list, { id: 'b' }), saved('b', 2))).toEqual(list)
})

test('lists a product once', () => {
  expect(putBack(list, saved('a', 4)).map(({ id }) => id)).toEqual(['a', 'c', 'b'])
})
