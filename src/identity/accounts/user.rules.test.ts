import { expect, test } from 'vitest'
import { initialsOf, nameOf } from './user.rules.ts'

test.each([
  ['Ada', 'Okafor', 'Ada Okafor', 'AO'],
  ['ada', null, 'ada', 'A'],
  [null, 'Okafor', 'Okafor', 'O'],
  [null, null, 'Digital Store User', 'U'],
  ['', null, 'Digital Store User', 'U'],
  ['𝒜da', 'Ünal', '𝒜da Ünal', '𝒜Ü'],
])('a member with the names %j and %j is called %j and has the initials %j', (firstName, lastName, name, initials) => {
  expect(nameOf({ firstName, lastName })).toBe(name)
  expect(initialsOf({ firstName, lastName })).toBe(initials)
})
