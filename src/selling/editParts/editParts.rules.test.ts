import { expect, test } from 'vitest'
import { KINDS } from '../../catalogue/kinds.rules.ts'
import { currentPart, editPartsOf } from './editParts.rules.ts'

test.each([
  ['file', true, ['File', 'Variants']],
  ['file', false, ['File']],
  ['code', true, ['Codes', 'Variants']],
  ['license', true, ['Files', 'Variants', 'Licence keys']],
  ['license', false, ['Files', 'Licence keys']],
  ['course', true, ['Course', 'Lessons']],
  ['bundle', true, ['Bundle', 'Products in this bundle']],
] as const)('the goods of a %s with a fixed price %s are the parts %j', (kind, isPriceFixed, goods) => {
  const names = editPartsOf(kind, isPriceFixed).map(({ name }) => name)
  expect(names).toEqual(['What you sell', ...goods, 'Description', 'Cover', 'Previews'])
})

test('every part of a product has its own id', () => {
  for (const kind of KINDS) {
    const ids = editPartsOf(kind, true).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

const places = [
  { id: 'basics', top: -900 },
  { id: 'goods', top: 200 },
  { id: 'previews', top: 700 },
] as const

test.each([
  ['the part at a third of the window', 0, false, 'goods'],
  ['the part before, while the next begins lower', 150, false, 'basics'],
  ['the first part above all', 2000, false, 'basics'],
  ['the last part at the end of the page', 0, true, 'previews'],
] as const)('marks %s', (_, shift, isAtEnd, id) => {
  const moved = places.map((one) => ({ ...one, top: one.top + shift }))
  expect(currentPart(moved, 800, isAtEnd)).toBe(id)
})

test('marks nothing without parts', () => {
  expect(currentPart([], 800, true)).toBeUndefined()
})
