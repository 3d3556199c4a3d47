import { expect, test } from 'vitest'
import { endOf } from './sentence.rules.ts'

test.each([
  ['Sally S.', 'Sally S.'],
  ['Noor', 'Noor.'],
])('ends a sentence after the name %j with one full stop', (name, end) => expect(endOf(name)).toBe(end))
