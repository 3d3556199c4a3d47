import { expect, test } from 'vitest'
import { goesOn, readAsking } from './asking.rules.ts'
import { isRude, wantsPerson } from './social.rules.ts'
import { correct } from './words.rules.ts'

const MAX = Number.MAX_SAFE_INTEGER

test.each([
  ['anything under 4 dollars that is not free', { from: 1, to: 399 }],
  ['prepaid cards under fifty', { from: 0, to: 4999 }],
  ['something for twenty dollars', { from: 2000, to: 2000 }],
  ['paid ones, not free', { from: 1, to: MAX }],
  ['five colour palettes', null],
])('reads the price of %j', (text, price) => expect(readAsking(text, []).price).toEqual(price))

test.each([
  ['too expensive', true],
  ['thats too much', true],
  ['I cannot afford that', true],
  ['something cheaper than 5 dollars', false],
])('%j asks for something cheaper: %s', (text, is) => expect(readAsking(text, []).isCheaper).toBe(is))

test('stars are a topic unless they rate', () => {
  expect(readAsking('a book about stars', []).topic).toEqual(['book', 'stars'])
  expect(readAsking('five stars only', []).topic).toEqual([])
})

test.each(['how much?', 'too expensive', 'tell me about the first', 'and in audio?'])('%j is a follow-up', (text) =>
  expect(goesOn(text)).toBe(true),
)

test.each([
  ['still not working, get me a human', true],
  ['let me talk to somebody real', true],
  ['I want a human', true],
  ['I need something for a person who likes trees', false],
  ['a gift for an agent', false],
  ['Can I transfer my licence to another person?', false],
  ['can i give it to another person', false],
  ['I need a person’s e-mail', false],
  ['How do I contact support?', false],
])('%j asks for a person: %s', (text, is) => expect(wantsPerson(text)).toBe(is))

test('detects rude words, but not inside other words', () => {
  expect(isRude('you stupid piece of junk')).toBe(true)
  expect(isRude('scrap paper for a junk journal')).toBe(false)
})

test('corrects a first letter that sounds alike, but does not change short words into others', () => {
  const known = new Set(['photography', 'reading'])
  expect(correct('fotography', [known], [new Set()])).toBe('photography')
  expect(correct('relaxing', [known], [new Set()])).toBe('relaxing')
})

test.each([
  ['books about C++ under 20', 'c', ['books']],
  ['a c++ course', 'c', ['course']],
  ['can I get cat pictures', null, ['cat', 'pictures']],
  ['(new) template', 'new', ['new']],
  ['any templates?', 'new', []],
  ['templatesque', null, ['templatesque']],
])('finds a category whose name contains punctuation in %j', (text, categoryId, topic) =>
  expect(
    readAsking(text, [
      { id: 'c', name: 'C++' },
      { id: 'new', name: 'Templates' },
    ]),
  ).toMatchObject({ categoryId, topic }),
)
