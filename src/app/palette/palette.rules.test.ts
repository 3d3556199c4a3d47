import { expect, test } from 'vitest'
import { hasWords } from '../../catalogue/shelf/pick.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { countOf, moved, orderEntries, recentEntries, searchEntry, withRecent } from './palette.rules.ts'

test.each([
  ['Gift Cards', 'gift', true],
  ['Gift Cards', 'ca gi', true],
  ['Gift Cards', 'ift', false],
  ['Go to My Orders', 'orders', true],
  ['Café', 'CAF', true],
  ['Anything', '', true],
])('%j matches %j: %s', (text, typed, expected) => {
  expect(hasWords(text, typed)).toBe(expected)
})

test('a search opens the catalogue with the typed text', () => {
  const search = searchEntry('jazz & rain')
  expect(search.href).toBe('/categories?q=jazz+%26+rain')
  expect(countOf([search])).toBe(0)
})

test('stores the last six distinct searches, newest first', () => {
  expect(withRecent(['b', 'a'], ' a ')).toEqual(['a', 'b'])
  expect(withRecent(['Salt'], 'salt')).toEqual(['salt'])
  expect(withRecent(['f', 'e', 'd', 'c', 'b', 'a'], 'g')).toEqual(['g', 'f', 'e', 'd', 'c', 'b'])
  expect(withRecent(['a'], '  ')).toEqual(['a'])
  expect(recentEntries([])).toEqual([])
  expect(recentEntries(['a']).map(({ label }) => label)).toEqual(['a', 'Clear recent searches'])
})

test('finds an order by its number and by its products', () => {
  const order = {
    id: '0198b2de-0000-7000-8000-00007f3a92c1',
    status: 'completed',
    lines: [{ title: 'Night Trains' }],
  } as Order
  for (const typed of ['7f3a', '#7F3A92C1', 'night', 'trains ni']) expect(orderEntries([order], typed)).toHaveLength(1)
  for (const typed of ['92c1', 'rains']) expect(orderEntries([order], typed)).toEqual([])
})

test('the arrow keys wrap around', () => {
  expect(moved(0, 'ArrowUp', 3)).toBe(2)
  expect(moved(2, 'ArrowDown', 3)).toBe(0)
  expect(moved(1, 'End', 3)).toBe(2)
  expect(moved(1, 'x', 3)).toBe(1)
  expect(moved(0, 'ArrowDown', 0)).toBe(0)
})
