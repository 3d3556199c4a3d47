import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFields, EMPTY, markText, mergeEdits, problemsOf, type Values } from './edit.rules.ts'

const base: Values = {
  ...{ title: 'A', price: '4.00', suggested: null, categoryId: 'ebooks', imageUrl: null, description: 'Old' },
}

test('merges an edit that was saved elsewhere and keeps what was typed', () => {
  const values = { ...base, title: 'Mine', price: '5.00' }
  const theirs = { ...base, price: '9.00', description: 'New' }
  expect(mergeEdits(base, values, theirs)).toEqual({
    values: { ...values, description: 'New' },
    both: ['price'],
  })
  expect(mergeEdits(base, values, { ...base, price: '5.00' })).toEqual({ values, both: [] })
})

test('loses no typed field to an edit from elsewhere', () => {
  const field = fc.constantFrom('a', 'b', 'c')
  const some = fc.record({
    ...{ title: field, price: field, suggested: field, categoryId: field, imageUrl: field, description: field },
  })
  fc.assert(
    fc.property(some, some, some, (before, values, theirs) => {
      const merged = mergeEdits(before, values, theirs)
      for (const name of changedFields(before, values)) expect(merged.values[name]).toBe(values[name])
      for (const name of changedFields(merged.values, theirs))
        expect(merged.both.includes(name) || theirs[name] === before[name]).toBe(true)
    }),
  )
})

test('names the fields that are missing or wrong', () => {
  expect(problemsOf(EMPTY)).toEqual({
    title: 'Title is required',
    price: 'Price is required',
    categoryId: 'Category is required',
  })
  expect(problemsOf({ ...base, price: '4,50' })).toEqual({})
  expect(problemsOf({ ...base, price: '-1' })).toEqual({ price: 'Price must be a positive number' })
  // free, and a choice from $3.00 on
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
] as const)('marks a part of a text: %s', (mark, text, start, end, marked, selected) => {
  const { from, to, text: replaced, selection } = markText(mark, text, start, end)
  const whole = text.slice(0, from) + replaced + text.slice(to)
  expect(whole).toBe(marked)
  expect(whole.slice(...selection)).toBe(selected)
})
