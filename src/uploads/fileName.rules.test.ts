import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuMs } from '../../test/cpu.ts'
import { cleanFileName, nameAfter, nameOfLink, readFileName, renameFile } from './fileName.rules.ts'

test.each([
  ['starter-journal.pdf', 'starter-journal.pdf'],
  ['Café – Übung 1.zip', 'Café – Übung 1.zip'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\book.epub', 'book.epub'],
  ['report\u202Efdp.exe', 'reportfdp.exe'],
  ['a\r\nset-cookie: x.pdf', 'aset-cookie_ x.pdf'],
  ['a"b.pdf', 'a_b.pdf'],
  ['.htaccess', 'htaccess'],
  ['name. ', 'name'],
  ['\u200B', null],
  ['..', null],
  ['folder/', null],
  ['\uD800x.txt', 'x.txt'],
])('cleans %j to %j', (given, kept) => {
  expect(cleanFileName(given)).toBe(kept)
})

test('preserves the extension of a name that is too long', () => {
  const name = cleanFileName(`${'é'.repeat(300)}.flac`)!
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^é+\.flac$/)
})

test.each(['x', 'é', '. ', ' \u00A0', '\u0958'])('needs no more time for a longer name of %j', async (part) => {
  // a name in a header has up to 16 KB; quadratic time would take seconds
  const name = `a${part.repeat(16_000 / part.length)}z`
  const spent = await cpuMs(() => {
    for (let n = 0; n < 5; n++) cleanFileName(name)
  })
  expect(spent).toBeLessThan(1_000)
})

test('returns names that are valid in a folder, a header and a file system', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = cleanFileName(given)
      if (name === null) return
      expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}"]|^\.|^$/u)
      expect(name.isWellFormed()).toBe(true)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(cleanFileName(name)).toBe(name)
    }),
  )
})

test('ignores a header without an encoded name', () => {
  expect(readFileName(undefined)).toBe(null)
  expect(readFileName('%E0%A4%A')).toBe(null)
  expect(readFileName('Caf%C3%A9.pdf')).toBe('Café.pdf')
})

test('derives the name of a nameless file from its product', () => {
  expect(nameAfter('Night Trains: Vol. 2', 'flac')).toBe('night-trains-vol-2.flac')
  expect(nameAfter('Café', 'pdf')).toBe('cafe.pdf')
  expect(nameAfter('***', 'bin')).toBe('file.bin')
  expect(nameAfter('x'.repeat(400), 'pdf')).toMatch(/^x{251}\.pdf$/)
})

test.each([
  ['/books/field%20guide.pdf', undefined, 'field guide.pdf'],
  ['/get?id=7', 'attachment; filename="a; b.zip"', 'a; b.zip'],
  ['/x', 'attachment; filename=plain.txt', 'plain.txt'],
  ['/x', 'attachment; filename="x.txt"; filename*=UTF-8\'\'%C3%9Cber%20uns.pdf', 'Über uns.pdf'],
  ['/x.bin', 'inline', 'x.bin'],
  ['/x', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['/%E0%A4%A', undefined, 'files.example'],
  ['/', undefined, 'files.example'],
])('derives from %s and the header %s the name %s', (path, disposition, name) => {
  expect(nameOfLink(new URL(path, 'https://files.example'), disposition)).toBe(name)
})

test.each([
  ['a.pdf', 'Part 1', 'Part 1.pdf'],
  ['a.pdf', 'Part 1.PDF', 'Part 1.pdf'],
  ['a.pdf', 'setup.exe', 'setup.exe.pdf'],
  ['a.pdf', '../b/c', 'c.pdf'],
  ['a.pdf', '..', null],
  ['a.pdf', '.pdf', null],
  ['README', 'Read me', 'Read me'],
  // bytes without a known extension were not checked against these extensions
  ['notes', 'notes.bat', null],
  ['notes', 'notes.pdf', null],
  ['a.t_x', 'b', 'b.t_x'],
])('renames the file %j by %j to %j', (before, name, after) => expect(renameFile(before, name)).toBe(after))
