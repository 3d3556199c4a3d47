import { expect, test } from 'vitest'
import {
  isDay,
  MAX_CODE_LENGTH,
  MAX_PART_LENGTH,
  maskOf,
  openLines,
  problemOf,
  readCells,
  readColumns,
} from './codeLines.rules.ts'
import { describeColumns, describeList, describeProblem, describeProblems, lastDayOf } from './stock.texts.rules.ts'

test.each([
  ['A-1', ['A-1']],
  ['A-1,2027-01-31', ['A-1', '2027-01-31']],
  ['A-1;2027-01-31', ['A-1', '2027-01-31']],
  ['"A, ""1""",x', ['A, "1"', 'x']],
  [' A-1 ,\t', ['A-1', '', '']],
  ["'=A1", ['=A1']],
  ['', ['']],
  [',2027-01-31', ['', '2027-01-31']],
])('splits %j into cells', (row, cells) => {
  expect(readCells(row)).toEqual(cells)
})

const PLAIN = { code: '', pin: '', serial: '', day: '' }

function readAll(lines: string[], isTable: boolean) {
  const reader = openLines({ isTable })
  const read = lines.map((line) => reader.read(line))
  return { read, columns: reader.columns() }
}

test('reads a text line unchanged, and finds the columns of a table by their names', () => {
  expect(readAll(['code', ' A,1 '], false)).toEqual({
    read: [
      { ...PLAIN, code: 'code' },
      { ...PLAIN, code: 'A,1' },
    ],
    columns: [],
  })
  expect(readAll(['A-1,2027-01-31', 'B-2'], true).read).toEqual([
    { ...PLAIN, code: 'A-1', day: '2027-01-31' },
    { ...PLAIN, code: 'B-2' },
  ])
  expect(readAll(['Expiry date,Gift card code', '2027-01-31,A-1'], true).read).toEqual([
    null,
    { ...PLAIN, code: 'A-1', day: '2027-01-31' },
  ])
  expect(readAll(['Key', 'A-1'], true).read).toEqual([null, { ...PLAIN, code: 'A-1' }])
})

test('reads PIN and serial number of a table, including cells pasted from a spreadsheet', () => {
  const parts = { ...PLAIN, code: 'CARD-1', pin: '0471', serial: 'S1' }
  expect(readAll(['code,pin,serial', 'CARD-1,0471,S1'], true).read).toEqual([null, parts])
  expect(readAll(['code\tpin\tserial', 'CARD-1\t0471\tS1'], false).read).toEqual([null, parts])
})

test.each([
  [
    ['Card number', 'PIN', 'Serial no', 'Valid until'],
    ['code', 'pin', 'serial', 'day'],
  ],
  [
    ['pin', 'serial'],
    ['code', 'serial'],
  ],
  [['Serial Number'], ['code']],
  [
    ['Batch', 'Voucher code', 'code', 'Security code'],
    [null, 'code', null, 'pin'],
  ],
  [
    ['Gift Card', 'CVV', 'Expires on', 'Note'],
    ['code', 'pin', 'day', null],
  ],
])('maps the columns %j', (names, parts) => {
  expect(readColumns(names)?.map(({ as }) => as)).toEqual(parts)
})

test('treats a table as one without a header if no column name means a code', () => {
  expect(readColumns(['A-1', '2027-01-31'])).toBeNull()
  expect(readAll(['A-1,2027-01-31,x', 'B-2'], true).columns).toEqual([
    { name: '1', as: 'code' },
    { name: '2', as: 'day' },
    { name: '3', as: null },
  ])
})

test('describes the part of each column that buyers get, and columns that are not imported', () => {
  expect(describeColumns([])).toBe('')
  expect(describeColumns(readColumns(['code', 'pin', 'valid until', 'batch', 'note'])!)).toBe(
    'Buyers get “code” as the number and “pin” as the PIN. “valid until” is the last day of sale. Not imported: “batch” and “note”.',
  )
  expect(describeColumns(readAll(['A-1'], true).columns)).toBe('Buyers get column 1 as the number.')
})

test('rejects a line without a PIN if the table has a PIN column, and parts that are too long', () => {
  const terms = { today: '2026-11-23', hasPins: true }
  expect(problemOf({ ...PLAIN, code: 'A-1' }, terms)).toBe('pin')
  expect(problemOf({ ...PLAIN, code: 'A-1', pin: '1' }, terms)).toBeNull()
  expect(problemOf({ ...PLAIN, code: 'A-1', pin: '1'.repeat(MAX_PART_LENGTH + 1) }, terms)).toBe('long')
  expect(problemOf({ ...PLAIN, code: 'A-1', pin: '1', serial: 'a\u0000' }, terms)).toBe('signs')
})

test.each([
  ['A-1', '', null],
  ['A-1', '2026-11-23', null],
  ['A-1', '2026-11-22', 'day'],
  ['A-1', '31.01.2027', 'day'],
  ['A-1', '2027-02-30', 'day'],
  ['', '', 'empty'],
  ['x'.repeat(MAX_CODE_LENGTH), '', null],
  ['x'.repeat(MAX_CODE_LENGTH + 1), '', 'long'],
  ['A\u0000', '', 'signs'],
  ['A\u202e1', '', 'signs'],
  ['Ä-1 ✓', '', null],
])('validates %j with the day %j: %s', (code, day, problem) => {
  expect(problemOf({ ...PLAIN, code, day }, { today: '2026-11-23', hasPins: false })).toBe(problem)
  if (code === 'A-1' && day !== '') expect(isDay(day, '2026-11-23')).toBe(problem === null)
})

test('shows at most four characters of a code, and at most a third of it', () => {
  for (const length of [3, 4, 8, 12, 40]) {
    const code = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr'.slice(0, length)
    const shown = maskOf(code).replace('•••• ', '')
    expect(code.endsWith(shown)).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(Math.min(4, length / 3))
  }
  expect(maskOf('AB')).toBe('•••• ')
})

test('describes the contents of a list', () => {
  const none = { repeated: 0, known: 0, empty: 0, long: 0, signs: 0, day: 0, pin: 0 }
  const columns: never[] = []
  expect(describeList({ fresh: 1, counts: none, problems: [], columns })).toBe('1 code is new.')
  expect(describeList({ fresh: 0, counts: { ...none, known: 1200, repeated: 1 }, problems: [], columns })).toBe(
    'No code is new. 1 line repeats another, 1,200 codes are in the shop already.',
  )
  expect(describeProblem({ line: 1003, why: 'repeated', before: 2 })).toBe('Line 1,003 repeats line 2.')
  expect(describeProblem({ line: 3, why: 'known' })).toBe('Line 3 is in the shop already.')
  expect(lastDayOf('2027-02-01T00:00:00.000Z')).toBe('Jan 31, 2027')
})

test('describes a problem of many lines once', () => {
  const counts = { repeated: 1, known: 10_000, empty: 5, long: 0, signs: 0, day: 0, pin: 0 }
  const lines = (why: 'known' | 'empty', numbers: number[]) => numbers.map((line) => ({ line, why }))
  const known = lines(
    'known',
    Array.from({ length: 94 }, (_, i) => i + 7),
  )
  const problems = [{ line: 3, why: 'repeated' as const, before: 1 }, ...lines('empty', [2, 4, 5, 6, 101]), ...known]
  expect(describeProblems({ problems, counts })).toEqual([
    'Line 3 repeats line 1.',
    'Lines 7 to 100 and 9,906 more are in the shop already.',
    'Lines 2, 4 to 6, and 101 are empty.',
  ])
})
