import { expect, test } from 'vitest'
import { EMPTY, markText, problemsOf, type Values } from './edit.rules.ts'

const base: Values = {
  ...{ title: 'A', price: '4.00', suggested: null, categoryId: 'ebooks', imageUrl: null, description: 'Old' },
}

test('reports each field that is missing or wrong', () => {
  expect(problemsOf(EMPTY)).toEqual({
    title: 'Title is required',
    price: 'Price is required',
    categoryId: 'Category is required',
  })
  expect(problemsOf({ ...base, price: '4,50' })).toEqual({})
  expect(problemsOf({ ...base, price: '-1' })).toEqual({ price: 'Price must be a positive number' })
  // a free product, then a price that buyers choose
  expect(problemsOf({ ...base, price: '0' })).toEqual({})
  expect(problemsOf({ ...base, price: '3', suggested: '5,00' })).toEqual({})
  expect(problemsOf({ ...base, price: '3', suggested: '2' })).toEqual({ suggested: 'Suggest at least the minimum' })
})

test.each([
  ['bold', 'a word', 2, 6, 'a **word**', 'word'],
  ['italic', '', 0, 0, '*italic text*', 'italic text'],
  ['link', 'see it', 4, 6, 'see [it](https://)', 'it'],
  ['list', 'a\none\ntwo', 4, 9, 'a\n- one\n- two', ''],
  ['list', '', 0, 0, '- ', ''],
] as const)('applies the mark %s to the selected text', (mark, text, start, end, marked, selected) => {
  const { from, to, text: replaced, selection } = markText(mark, text, start, end)
  const whole = text.slice(0, from) + replaced + text.slice(to)
  expect(whole).toBe(marked)
  expect(whole.slice(...selection)).toBe(selected)
})
