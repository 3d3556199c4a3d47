import { expect, test } from 'vitest'
import { charactersLeft, isBlank, MAX_MESSAGE_LENGTH, tooLong, within } from './chat.rules.ts'

test.each([
  ['', true],
  ['  \n\t ', true],
  ['\u00a0', true],
  [' hi ', false],
])('treats %j as blank: %s', (text, blank) => expect(isBlank(text)).toBe(blank))

test('trims a message and accepts it at the maximum length', () => {
  const full = 'x'.repeat(MAX_MESSAGE_LENGTH)
  expect(tooLong(` ${full} `)).toBeNull()
  expect(tooLong(`${full}yy`)).toBe('At most 2,000 characters. You’re 2 over.')
})

test('shows the remaining characters near the limit', () => {
  expect(charactersLeft('x'.repeat(1799))).toBeNull()
  expect(charactersLeft('x'.repeat(1800))).toBe('200 characters left.')
  expect(charactersLeft('x'.repeat(2001))).toBe('At most 2,000 characters. You’re 1 over.')
})

test.each([
  [1, 'within an hour'],
  [4, 'within 4 hours'],
  [24, 'within a day'],
  [25, 'within 2 days'],
  [168, 'within 7 days'],
])('formats %i hours as %s', (hours, text) => expect(within(hours)).toBe(text))
