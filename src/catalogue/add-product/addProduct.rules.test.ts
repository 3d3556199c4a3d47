import { expect, test } from 'vitest'
import { EMPTY, isEachADraft, problemsOf, readProductOfFile, takesFile, titleOfFile } from './addProduct.rules.ts'

test.each([
  ['Night_trains.mp3', 'Night trains'],
  ['01 Rain on canvas.flac', '01 Rain on canvas'],
  ['archive.tar.gz', 'archive.tar'],
  ['.htaccess', '.htaccess'],
  ['A book with no ending', 'A book with no ending'],
  ['v2.final version.pdf', 'v2.final version'],
  [`${'x'.repeat(250)}.pdf`, 'x'.repeat(200)],
  ['   ', 'Untitled'],
])('names the draft of the file %j', (fileName, title) => expect(titleOfFile(fileName)).toBe(title))

test('requires a title for one product and none for a draft of each file', () => {
  const values = { ...EMPTY, price: '4', categoryId: 'ebooks' }
  expect(problemsOf(values)).toEqual({ title: 'Title is required' })
  expect(problemsOf(values, true)).toEqual({})
  expect(problemsOf({ ...values, price: '0' }, true)).toEqual({ price: 'Price must be a positive number' })
  expect(readProductOfFile(values, 'Salt_and_time.epub')).toMatchObject({ title: 'Salt and time', price: '4' })
})

test.each([
  ['', true],
  ['file', true],
  ['license', true],
  ['code', false],
  ['course', false],
  ['bundle', false],
] as const)('accepts files for the kind %j: %s', (kind, takes) => expect(takesFile(kind)).toBe(takes))

test('files become a draft each only for a kind that sells files', () => {
  const given = { isEach: true, more: ['a file'] }
  const kinds = ['', 'file', 'license', 'code', 'course', 'bundle'] as const
  expect(kinds.filter((delivery) => isEachADraft({ ...given, delivery }))).toEqual(['', 'file', 'license'])
  expect(isEachADraft({ ...given, isEach: false, delivery: 'file' })).toBe(false)
  expect(isEachADraft({ ...given, more: [], delivery: 'file' })).toBe(false)
})
