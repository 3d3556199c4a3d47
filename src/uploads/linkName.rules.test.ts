import { expect, test } from 'vitest'
import { nameOfLink } from './linkName.rules.ts'

test.each([
  ['/books/field%20guide.pdf', undefined, 'field guide.pdf'],
  ['/get?id=7', 'attachment; filename="a; b.zip"', 'a; b.zip'],
  ['/x', 'attachment; filename=plain.txt', 'plain.txt'],
  ['/x', 'attachment; filename="x.txt"; filename*=UTF-8\'\'%C3%9Cber%20uns.pdf', 'Über uns.pdf'],
  ['/x.bin', 'inline', 'x.bin'],
  ['/x', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['/%E0%A4%A', undefined, 'files.example'],
  ['/', undefined, 'files.example'],
])('names %s with the header %s as %s', (path, disposition, name) => {
  expect(nameOfLink(new URL(path, 'https://files.example'), disposition)).toBe(name)
})
