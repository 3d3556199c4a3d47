import { expect, test } from 'vitest'
import { newPasswordProblem } from './commonPasswords.server.ts'

const problemOf = (password: string) => newPasswordProblem(password, 'ada.lovelace@example.com')

test.each([
  // of the list as they are
  'nuttertools',
  'mailcreated5240',
  'Terminator',
  // a word of the list with little around it
  'Manchester1!',
  'elephant99',
  '!Bicycle2026',
])('%s is among the first that anybody tries', async (password) => {
  expect(await problemOf(password)).toMatch(/too easy to guess/)
})

test.each(['violet-harbour-71', 'a quiet river bend', 'elephant83029571', 'bicycle elephant'])(
  '%s will do',
  async (password) => {
    expect(await problemOf(password)).toBeNull()
  },
)

test('what the rules refuse is refused for their reason', async () => {
  expect(await problemOf('short')).toBe('Use at least 10 characters.')
})
