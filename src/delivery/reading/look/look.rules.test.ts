import { expect, test } from 'vitest'
import { FIRST_LOOK, readLook } from './look.rules.ts'

test('reads a stored look', () => {
  const look = { paper: 'sepia', font: 'plain', margin: 'broad', size: 1.25 }
  expect(readLook(JSON.parse(JSON.stringify(look)))).toEqual(look)
})

test.each([null, undefined, 3, 'night', [], {}, { paper: 'pink', font: 1, margin: {}, size: '1' }, { size: 9 }])(
  'replaces what is missing or unknown in %j',
  (stored) => expect(readLook(stored)).toEqual(FIRST_LOOK),
)

test('retains the known values of a stored look', () => {
  expect(readLook({ paper: 'night', size: 0 })).toEqual({ ...FIRST_LOOK, paper: 'night' })
})
