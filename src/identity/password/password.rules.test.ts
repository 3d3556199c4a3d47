import { expect, test } from 'vitest'
import { strengthOf } from './password.rules.ts'

test.each([
  ['', 0, ''],
  ['tr0ub4dor', 1, 'Too short'],
  ['password123', 1, 'Weak'],
  ['P@ssw0rd2026!', 1, 'Weak'],
  ['1234567890', 1, 'Weak'],
  ['ababababab', 1, 'Weak'],
  ['aaaabbbbcccc', 1, 'Weak'],
  ['riverbends', 2, 'Fair'],
  ['8302957164', 2, 'Fair'],
  ['river-bend-7', 3, 'Good'],
  ['a quiet river bend', 4, 'Strong'],
  ['Violet-Harbour-71', 4, 'Strong'],
])('rates %j as %i: %s', (password, score, word) => {
  expect(strengthOf(password, 10)).toEqual({ score, word })
})

test('repetition does not raise the strength', () => {
  expect(strengthOf('river'.repeat(8), 10).score).toBeLessThan(4)
})
