import { expect, test } from 'vitest'
import { emailProblem, nameProblem, passwordProblem, tidyEmail } from './account.rules.ts'

const EMAIL = 'ada.lovelace@example.com'

test.each([
  'violet-harbour-71',
  'tr0ub4dor&3x-moss',
  'ein langer satz mit leerzeichen',
  'пароль-из-моря',
  '8302957164',
  'x'.repeat(3) + 'yz'.repeat(2) + 'quartz',
  'password reset is annoying',
])('a password that nobody would try first is taken: %s', (password) => {
  expect(passwordProblem(password, EMAIL)).toBeNull()
})

test.each([
  ['', 'Choose a password.'],
  ['short', 'Use at least 10 characters.'],
  ['123456789', 'Use at least 10 characters.'],
  ['👍👍👍👍👍', 'Use at least 10 characters.'],
  ['x'.repeat(201), 'Use 200 characters or fewer.'],
  ['1234567890', 'one of the first'],
  ['0987654321', 'one of the first'],
  ['12345678901', 'one of the first'],
  ['1111111111', 'one of the first'],
  ['abababababab', 'one of the first'],
  ['123123123123', 'one of the first'],
  ['qwertyuiop', 'one of the first'],
  ['QwertyUiop', 'one of the first'],
  ['1q2w3e4r5t', 'one of the first'],
  ['1qaz2wsx3edc', 'one of the first'],
  ['password123', 'one of the first'],
  ['Password2024!', 'one of the first'],
  ['P@ssw0rd123', 'one of the first'],
  ['passwordpassword', 'one of the first'],
  ['welcome2026', 'one of the first'],
  ['iloveyou!!', 'one of the first'],
  ['12345admin', 'one of the first'],
  ['ada.lovelace', 'not your email'],
  ['Ada.Lovelace', 'not your email'],
  ['ada.lovelace1', 'not your email'],
  [EMAIL, 'not your email'],
])('a password that falls at once is refused: %j', (password, problem) => {
  expect(passwordProblem(password, EMAIL)).toContain(problem)
})

test.each(['ada@example.com', 'a.b+c@sub.example.co', "o'neil@example.com"])('%s is an email address', (email) => {
  expect(emailProblem(email)).toBeNull()
})

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'a b@example.com',
  `${'a'.repeat(250)}@example.com`,
  'ada@exa\r\nmple.com',
])('%j is not an email address', (email) => {
  expect(emailProblem(email)).toMatch(/^Enter /)
})

test('one mailbox has one spelling', () => {
  expect(tidyEmail('  Ada@Example.COM ')).toBe('ada@example.com')
})

test('a name may be in any script, and may not break a line', () => {
  expect(nameProblem('Åsa-Lí 李')).toBeNull()
  expect(nameProblem('')).toBeNull()
  expect(nameProblem('<b>Ada</b>')).toBeNull()
  expect(nameProblem('Ada\nBcc: all@example.com')).not.toBeNull()
  expect(nameProblem('x'.repeat(81))).toBe('Use 80 characters or fewer.')
})
