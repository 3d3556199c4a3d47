import { expect, test } from 'vitest'
import { newPasswordProblem } from './commonPasswords.server.ts'

const problemOf = (password: string) => newPasswordProblem(password, 'ada.lovelace@example.com')

test.each([
  // listed words
  'nuttertools',
  'mailcreated5240',
  'Terminator',
  // listed words with a few more characters
  'Manchester1!',
  'elephant99',
  '!Bicycle2026',
])('%s is refused as a common password', async (password) => {
  expect(await problemOf(password)).toMatch(/too easy to guess/)
})

test.each(['violet-harbour-71', 'a quiet river bend', 'elephant83029571', 'bicycle elephant'])(
  'accepts the password %s',
  async (password) => {
    expect(await problemOf(password)).toBeNull()
  },
)

test('reports a problem of the password rules before the list of common passwords', async () => {
  expect(await problemOf('short')).toBe('Use at least 10 characters.')
})
