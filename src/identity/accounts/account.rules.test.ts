import { expect, test } from 'vitest'
import { emailProblem, nameProblem, passwordProblem } from './account.rules.ts'
import { tidyEmail } from './email.rules.ts'

const EMAIL = 'ada.lovelace@example.com'

test.each([
  'violet-harbour-71',
  'tr0ub4dor&3x-moss',
  'ein langer satz mit leerzeichen',
  'пароль-из-моря',
  '8302957164',
  'x'.repeat(3) + 'yz'.repeat(2) + 'quartz',
  'password reset is annoying',
])('accepts %s as a password', (password) => {
  expect(passwordProblem(password, EMAIL)).toBeNull()
})

test.each([
  ['', 'Choose a password.'],
  ['short', 'Use at least 10 characters.'],
  ['123456789', 'Use at least 10 characters.'],
  ['👍👍👍👍👍', 'Use at least 10 characters.'],
  ['x'.repeat(201), 'Use 200 characters or fewer.'],
  ['1234567890', 'too easy to guess'],
  ['0987654321', 'too easy to guess'],
  ['12345678901', 'too easy to guess'],
  ['1111111111', 'too easy to guess'],
  ['abababababab', 'too easy to guess'],
  ['123123123123', 'too easy to guess'],
  ['qwertyuiop', 'too easy to guess'],
  ['QwertyUiop', 'too easy to guess'],
  ['1q2w3e4r5t', 'too easy to guess'],
  ['1qaz2wsx3edc', 'too easy to guess'],
  ['password123', 'too easy to guess'],
  ['Password2024!', 'too easy to guess'],
  ['P@ssw0rd123', 'too easy to guess'],
  ['passwordpassword', 'too easy to guess'],
  ['welcome2026', 'too easy to guess'],
  ['iloveyou!!', 'too easy to guess'],
  ['12345admin', 'too easy to guess'],
  ['ada.lovelace', 'isn’t your email'],
  ['Ada.Lovelace', 'isn’t your email'],
  ['ada.lovelace1', 'isn’t your email'],
  [EMAIL, 'isn’t your email'],
])('refuses %j as a password', (password, problem) => {
  expect(passwordProblem(password, EMAIL)).toContain(problem)
})

test.each([
  'ada@example.com',
  'a.b+c@sub.example.co',
  "o'neil@example.com",
  'ada&co@example.com',
  'a=b!c/d#e~f@example.com',
  'a@b.museum',
  'ada@xn--bcher-kva.example',
])('accepts %s as an email address', (email) => {
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
  '.ada@example.com',
  'ada..b@example.com',
  'a,b@example.com',
  '<ada@example.com>',
  'ada@-example.com',
])('refuses %j as an email address', (email) => {
  expect(emailProblem(email)).toMatch(/^Enter /)
})

test('normalizes an address to one spelling for each mailbox', () => {
  expect(tidyEmail('  Ada@Example.COM ')).toBe('ada@example.com')
  expect(tidyEmail('\u202Aada@Bücher.Example\u202C')).toBe('ada@xn--bcher-kva.example')
  expect(tidyEmail('ada@a/b')).toBe('ada@a/b')
  // the kelvin sign is not a 'k': this is another mailbox
  expect(emailProblem(tidyEmail('bac\u212Aup@example.com'))).not.toBeNull()
})

test('accepts names in any script but no line breaks', () => {
  expect(nameProblem('Åsa-Lí 李')).toBeNull()
  expect(nameProblem('')).toBeNull()
  expect(nameProblem('<b>Ada</b>')).toBeNull()
  expect(nameProblem('Ada\nBcc: all@example.com')).not.toBeNull()
  expect(nameProblem('x'.repeat(81))).toBe('Use 80 characters or fewer.')
})
