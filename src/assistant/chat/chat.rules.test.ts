import { expect, test } from 'vitest'
import {
  answerText,
  charactersLeft,
  isBlank,
  isInTitle,
  LONGEST_MESSAGE,
  mayName,
  statusText,
  tooLong,
  within,
} from './chat.rules.ts'

test.each([
  ['', true],
  ['  \n\t ', true],
  ['\u00a0', true],
  [' hi ', false],
])('treats %j as blank: %s', (text, blank) => expect(isBlank(text)).toBe(blank))

test('accepts a message of the maximum length without surrounding spaces', () => {
  const full = 'x'.repeat(LONGEST_MESSAGE)
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

test('shows Online in the panel only while staff are online', () => {
  expect(statusText(true, 24)).toBe('Online')
  expect(statusText(false, 24)).toBe('A person answers within a day')
})

const user = { author: 'user' as const, named: [], ageMinutes: 0 }
test.each([
  ['no article fits', [], [user], false],
  ['an article fits', ['refunds'], [user], true],
  ['staff have just answered', ['refunds'], [{ author: 'admin' as const, named: [], ageMinutes: 5 }, user], false],
  ['staff answered yesterday', ['refunds'], [{ author: 'admin' as const, named: [], ageMinutes: 1440 }], true],
  [
    'the article was named already',
    ['refunds'],
    [{ author: 'assistant' as const, named: ['refunds'], ageMinutes: 2 }],
    false,
  ],
  [
    'one of two articles is new',
    ['refunds', 'codes'],
    [{ author: 'assistant' as const, named: ['refunds'], ageMinutes: 2 }],
    true,
  ],
])('decides whether the assistant announces an answer when %s: %s', (_, found, said, speaks) => {
  expect(mayName(found as string[], said)).toBe(speaks)
})

test.each([
  ['Steam Gift Card', ['steam', 'card'], true],
  ['Salt and Time', ['sal'], true],
  ['Salt and Time', ['salt', 'pepper'], false],
  ['Salt and Time', ['alt'], false],
  ['Salt and Time', [], false],
])('decides whether %j has the words %j: %s', (title, words, has) => expect(isInTitle(title, words)).toBe(has))

test('says what the answer holds', () => {
  expect(answerText({ articles: 0, products: 2 })).toMatch(/^I found these products for you\. A person/)
  expect(answerText({ articles: 1, products: 1 })).toMatch(/this product for you\. This help article might/)
})
