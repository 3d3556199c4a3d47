import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberOf, readNumber } from './certificate.rules.ts'
import { isComplete, nextOpen, resumeAt } from './progress.rules.ts'

const part = (id: string, more: object = {}) => ({
  ...{ id, isSection: false, opensAt: null, isDone: false, openedAt: null as Date | null },
  ...more,
})
const at = (day: number) => new Date(Date.UTC(2026, 0, day))
const section = part('s', { isSection: true })

test.each([
  ['the first lesson', [section, part('a'), part('b')], 'a'],
  ['the lesson opened last', [part('a', { openedAt: at(1) }), part('b', { openedAt: at(2) })], 'b'],
  ['the next after a done one', [part('a'), part('b', { openedAt: at(2), isDone: true }), part('c')], 'c'],
  ['an earlier one that is left', [part('a'), part('b', { openedAt: at(2), isDone: true })], 'a'],
  ['no locked lesson', [part('a', { isDone: true, openedAt: at(1) }), part('b', { opensAt: 'x' }), part('c')], 'c'],
  ['the last when all are done', [part('a', { isDone: true, openedAt: at(1) })], 'a'],
  ['nothing in an empty course', [section], null],
  ['nothing when all are locked', [part('a', { opensAt: 'x' })], null],
])('resumes at %s', (_, parts, expected) => expect(resumeAt(parts)).toBe(expected))

test('is complete when every lesson is done, and never without a lesson', () => {
  expect(isComplete([section])).toBe(false)
  expect(isComplete([section, part('a', { isDone: true })])).toBe(true)
  expect(isComplete([part('a', { isDone: true }), part('b')])).toBe(false)
})

test('continues with the next lesson only if it is open', () => {
  const [a, b, locked] = [part('a'), part('b'), part('c', { opensAt: '2026-12-01T00:00:00Z' })]
  expect(nextOpen([a, b, locked], a)).toBe(b)
  expect(nextOpen([a, b, locked], b)).toBeUndefined()
  expect(nextOpen([a, b], b)).toBeUndefined()
})

test('parses each number as people type it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), (bytes) => {
      const number = numberOf(bytes)
      for (const typed of [number, number.toLowerCase(), number.replaceAll('-', ' '), number.replaceAll('0', 'o')])
        expect(readNumber(typed)).toBe(number)
    }),
  )
  expect(['', 'PC-123', 'PC-0000-0000-000U', `PC-${'0'.repeat(13)}`].map(readNumber)).toEqual([null, null, null, null])
})
