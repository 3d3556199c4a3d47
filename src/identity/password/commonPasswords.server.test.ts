import { expect, test } from 'vitest'
import { newPasswordProblem } from './commonPasswords.server.ts'

const problemOf = (password: string) => newPasswordProblem(password, 'ada.lovelace@example.com')

test.each([
  // listed words
  'nuttertools',
  'mailcreated5240',
  'Terminator',
  // listed words with few more characters
  'Manchester1!',
  'elephant99',
  '!Bicycle2026',
])('%s is refused as a common password', async (password) => {
  expect(await problemOf(password)).toMatch(/too easy to guess/)
})

test.each(['violet-harbour-71', 'a quiet river bend', 'elephant83029571', 'bicycle elephant'])(
  '%s will do',
  async (password) => {
    expect(await problemOf(password)).toBeNull()
  },
)

test('reports the reason of the password rules first', async () => {
  expect(await problemOf('short')).toBe('Use at least 10 characters.')
})
