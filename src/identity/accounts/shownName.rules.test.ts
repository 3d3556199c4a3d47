import { expect, test } from 'vitest'
import { shownNameOf } from './shownName.rules.ts'

test.each([
  ['Ada', 'Okafor', 'Ada O.'],
  [' Ada ', null, 'Ada'],
  ['Ada', ' ', 'Ada'],
  [null, 'Okafor', 'Someone'],
  ['ada', '𝒰nal', 'ada 𝒰.'],
])('other members see the names %j and %j as %j', (firstName, lastName, shown) => {
  expect(shownNameOf({ firstName, lastName })).toBe(shown)
})
