import { expect, test } from 'vitest'
import { isVerbatim, lessonFrom, namesAsker } from './lesson.rules.ts'

const ada = { firstName: 'Ada', lastName: 'O’Neil-Ruiz' }

test.each([
  ['Hi, Ada here: where is order 1a2b3c4d?', 'Hi, here: where is order?'],
  ['I am Ada O’Neil-Ruiz (ada@shop.example), can I pay twice?', 'I am, can I pay twice?'],
  ['my card 4111 1111 1111 1111 fails', 'my card fails'],
  ['the code ABCD-EFGH-JKLM is used', 'the code is used'],
  ['call me at +44 20 7946 0958', 'call me at'],
  ['Is it\nfor 2 computers under $20?', 'Is it for 2 computers under $20?'],
  ['Does the adapter deface 2024 files?', 'Does the adapter deface 2024 files?'],
])('makes of %j the lesson %j', (question, lesson) => {
  expect(lessonFrom(question, ada)).toBe(lesson)
  expect(namesAsker(question, ada)).toBe(lesson !== question.replaceAll('\n', ' '))
  expect(namesAsker(lesson, ada)).toBe(false)
})

test('detects a name of one letter, but no name inside a word', () => {
  expect(lessonFrom('A question about C', { firstName: 'A', lastName: null })).toBe('A question about C')
  expect(lessonFrom('Is adaptation for adas?', ada)).toBe('Is adaptation for adas?')
})

test.each([
  ['is it for two computers', 'Is it for two computers?', true],
  ['Hi, is it for two?', 'Hi, Ada here: is it for two computers?', true],
  ['How many computers may use it', 'Is it for two computers?', false],
  ['Is it for two comp', 'Is it for two computers?', false],
  ['Is it for many computers?', 'Is it for two computers?', false],
  ['two for it', 'Is it for two computers?', false],
])('decides if %j has only words of %j in their order: %s', (lesson, message, is) =>
  expect(isVerbatim(lesson, message)).toBe(is),
)
