import { expect, test } from 'vitest'
import { indexNames, readNames } from './names.rules.ts'

const find = (wanted: string, ...files: [bytes: number[] | string, isUtf8?: boolean][]) =>
  indexNames(
    files.map(([bytes, isUtf8 = false], file) => ({
      names: readNames(typeof bytes === 'string' ? Buffer.from(bytes) : Uint8Array.from(bytes), isUtf8),
      file,
    })),
  )(wanted)

test.each<[wanted: string, bytes: number[] | string]>([
  ['été.xhtml'.normalize('NFD'), 'été.xhtml'.normalize('NFC')],
  ['été.xhtml'.normalize('NFC'), 'été.xhtml'.normalize('NFD')],
  ['Text/Chapter1.xhtml', 'text/chapter1.XHTML'],
  ['text/one.xhtml', 'text\\one.xhtml'],
  // Shift-JIS, code page 437, GBK, windows-1251
  ['第1章', [0x91, 0xe6, 0x31, 0x8f, 0xcd]],
  ['é', [0x82]],
  ['章', [0xd5, 0xc2]],
  ['Глава', [0xc3, 0xeb, 0xe0, 0xe2, 0xe0]],
])('finds %s', (wanted, bytes) => expect(find(wanted, [bytes])).toBe(0))

test('prefers an exact name to one that differs in case', () => {
  expect(find('b.txt', ['B.txt'], ['b.txt'])).toBe(1)
  expect(find('B.TXT', ['B.txt'], ['b.txt'])).toBe(0)
})

test('prefers a more probable encoding of a name', () => {
  // the first bytes are 'é' in code page 437, the second bytes are 'é' in UTF-8
  expect(find('é', [[0x82]], ['é'])).toBe(1)
})

test('finds nothing for a name that no file has', () => expect(find('c.txt', ['a.txt'], ['b.txt'])).toBeUndefined())
