import { expect, test } from 'vitest'
import { writeRow } from './csv.rules.ts'

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['\t=1', '"\'\t=1"'],
  ["'=1", "''=1"],
  ["'-1.50", "''-1.50"],
  [' a', '" a"'],
  ['a;b', '"a;b"'],
  ['=HYPERLINK("http://x.example","a")', '"\'=HYPERLINK(""http://x.example"",""a"")"'],
  ['-1.50', '-1.50'],
  ['-2', "'-2"],
  [12, '12'],
  ['', ''],
])('writes the cell %j as %s', (value, cell) => {
  expect(writeRow([value])).toBe(`${cell}\r\n`)
})

test('ends each row with CRLF', () => {
  expect(writeRow(['a', 1, 'b,c'])).toBe('a,1,"b,c"\r\n')
})
