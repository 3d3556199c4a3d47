import { expect, test } from 'vitest'
import { previewOf, whyClosed } from './messages.rules.ts'

test('a preview is the beginning of the text on one line', () => {
  expect(previewOf(' Is it\n\nthe same? ')).toBe('Is it the same?')
  expect(previewOf('x'.repeat(200))).toHaveLength(120)
  expect(previewOf('x'.repeat(120))).toBe('x'.repeat(120))
})

const thread = { side: 'buyer', name: 'Sally S.', blockedBy: null, canWrite: true } as const

test.each([
  [thread, null],
  [{ ...thread, blockedBy: 'buyer', canWrite: false }, 'You ended this thread. Sally S. can’t write to you.'],
  [{ ...thread, blockedBy: 'seller', canWrite: false }, 'Sally S. ended this thread.'],
  [{ ...thread, canWrite: false }, 'This account was deleted.'],
] as const)('says why %j is closed', (shown, why) => expect(whyClosed(shown)).toBe(why))
