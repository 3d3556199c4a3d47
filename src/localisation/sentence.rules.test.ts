import { expect, test } from 'vitest'
import { endOf } from './sentence.rules.ts'

test.each([
  ['Sally S.', 'Sally S.'],
  ['Noor', 'Noor.'],
])('ends a sentence with the name %j once', (name, end) => expect(endOf(name)).toBe(end))
