import { expect, test } from 'vitest'
import { describeLength, describeLessons } from './length.rules.ts'

const lesson = (minutes: number, seconds: number | null = 0) => ({ minutes, seconds })

test.each([
  ['nothing', [lesson(0)], ''],
  ['a text', [lesson(3)], '3 min'],
  ['a short recording', [lesson(0, 9)], '1 min'],
  ['a text and a film', [lesson(3, 725)], '15 min'],
  ['two hours', [lesson(60), lesson(0, 3600)], '2 h'],
  ['a long course', [lesson(65), lesson(0, 3900)], '2 h 10 min'],
  ['a recording that is not measured', [lesson(0, null)], 'length not known'],
  ['a text and a recording that is not measured', [lesson(4), lesson(0, null)], 'more than 4 min'],
])('describes the length of %s', (_, parts, expected) => expect(describeLength(parts)).toBe(expected))

test('adds the number of lessons', () => {
  expect(describeLessons([])).toBe('0 lessons')
  expect(describeLessons([lesson(3)])).toBe('1 lesson, 3 min')
  expect(describeLessons([lesson(3), lesson(2, 60)])).toBe('2 lessons, 6 min')
})
