import { expect, test } from 'vitest'
import { isDay, LONGEST_CODE, maskOf, openLines, problemOf, readCells } from './codeLines.rules.ts'
import { describeList, describeProblem, lastDayOf } from './stock.texts.rules.ts'

test.each([
  ['A-1', ['A-1']],
  ['A-1,2027-01-31', ['A-1', '2027-01-31']],
  ['A-1;2027-01-31', ['A-1', '2027-01-31']],
  ['"A, ""1""",x', ['A, "1"', 'x']],
  [' A-1 ,\t', ['A-1', '', '']],
  ["'=A1", ['=A1']],
  ['', ['']],
  [',2027-01-31', ['', '2027-01-31']],
])('reads the cells of %j', (row, cells) => {
  expect(readCells(row)).toEqual(cells)
})

const readAll = (lines: string[], isTable: boolean) => lines.map(openLines({ isTable }))

test('takes a line of a text as it stands, and finds the columns of a table by their names', () => {
  expect(readAll(['code', ' A,1 '], false)).toEqual([
    { code: 'code', day: '' },
    { code: 'A,1', day: '' },
  ])
  expect(readAll(['A-1,2027-01-31', 'B-2'], true)).toEqual([
    { code: 'A-1', day: '2027-01-31' },
    { code: 'B-2', day: '' },
  ])
  expect(readAll(['Expiry date,Gift card code', '2027-01-31,A-1'], true)).toEqual([
    null,
    { code: 'A-1', day: '2027-01-31' },
  ])
  expect(readAll(['Key', 'A-1'], true)).toEqual([null, { code: 'A-1', day: '' }])
})

test.each([
  ['A-1', '', null],
  ['A-1', '2026-11-23', null],
  ['A-1', '2026-11-22', 'day'],
  ['A-1', '31.01.2027', 'day'],
  ['A-1', '2027-02-30', 'day'],
  ['', '', 'empty'],
  ['x'.repeat(LONGEST_CODE), '', null],
  ['x'.repeat(LONGEST_CODE + 1), '', 'long'],
  ['A\u0000', '', 'signs'],
  ['A\u202e1', '', 'signs'],
  ['Ä-1 ✓', '', null],
])('judges %j with the day %j: %s', (code, day, problem) => {
  expect(problemOf({ code, day }, '2026-11-23')).toBe(problem)
  if (code === 'A-1' && day !== '') expect(isDay(day, '2026-11-23')).toBe(problem === null)
})

test('a mask shows four signs at most, and never a third more of a code', () => {
  for (const length of [3, 4, 8, 12, 40]) {
    const code = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr'.slice(0, length)
    const shown = maskOf(code).replace('•••• ', '')
    expect(code.endsWith(shown)).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(Math.min(4, length / 3))
  }
  expect(maskOf('AB')).toBe('•••• ')
})

test('says what a list holds', () => {
  const none = { repeated: 0, known: 0, empty: 0, long: 0, signs: 0, day: 0 }
  expect(describeList({ fresh: 1, counts: none, problems: [] })).toBe('1 code is new.')
  expect(describeList({ fresh: 0, counts: { ...none, known: 1200, repeated: 1 }, problems: [] })).toBe(
    'No code is new. 1 line repeats another, 1,200 codes are in the shop already.',
  )
  expect(describeProblem({ line: 1003, why: 'repeated', before: 2 })).toBe('Line 1,003 repeats line 2.')
  expect(describeProblem({ line: 3, why: 'known' })).toBe('Line 3 is in the shop already.')
  expect(lastDayOf('2027-02-01T00:00:00.000Z')).toBe('Jan 31, 2027')
})
