import fc from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { Failure } from '../../kit/failure.ts'
import { changedFields, isOlder, mergeEdits, problemsIn, readRefusal } from './savedForm.rules.ts'

const base = { title: 'A', price: '4.00', parts: ['x'], description: 'Old' }

test('merges an edit that was saved elsewhere and retains the typed values', () => {
  const values = { ...base, title: 'Mine', price: '5.00' }
  const theirs = { ...base, price: '9.00', parts: ['x', 'y'], description: 'New' }
  const taken = { parts: ['x', 'y'], description: 'New' }
  expect(mergeEdits(base, values, theirs)).toEqual({ taken, values: { ...values, ...taken }, both: ['price'] })
  expect(mergeEdits(base, values, { ...base, price: '5.00' })).toEqual({ taken: {}, values, both: [] })
})

test('never overwrites a typed field with an edit from elsewhere', () => {
  const field = fc.constantFrom('a', 'b', 'c')
  const some = fc.record({ title: field, price: field, parts: fc.array(field, { maxLength: 2 }) })
  fc.assert(
    fc.property(some, some, some, (before, values, theirs) => {
      const merged = mergeEdits(before, values, theirs)
      for (const name of changedFields(before, values)) expect(merged.values[name]).toEqual(values[name])
      for (const name of changedFields(merged.values, theirs))
        expect(merged.both.includes(name) || !changedFields(before, theirs).includes(name)).toBe(true)
    }),
  )
})

test('reports the first problem of each field of a schema', () => {
  const Book = z.object({
    title: z.string().check(z.minLength(3, 'Too short'), z.regex(/^[A-Z]/, 'Begin with a capital')),
    size: z.object({ width: z.number('Enter a number') }),
    tags: z.array(z.string('Enter text')),
  })
  expect(problemsIn(Book.safeParse({ title: 'a', size: { width: '' }, tags: ['b', 1] }))).toEqual({
    ...{ title: 'Too short', 'size.width': 'Enter a number', 'tags.1': 'Enter text' },
  })
  expect(problemsIn(Book.safeParse({ title: 'Tea', size: { width: 1 }, tags: [] }))).toEqual({})
})

const refused = (status: number, details: Record<string, unknown>) => new Failure(status, '', undefined, { details })

test.each([
  [refused(409, { message: 'Taken.', field: 'title' }), { path: 'title', message: 'Taken.' }],
  [refused(400, { message: 'title: Too long', field: 'title' }), { path: 'title', message: 'Too long' }],
  [refused(400, { message: 'parts.1: Too long', field: 'parts.1' }), { path: 'parts.1', message: 'Too long' }],
  [refused(400, { message: 'seats: Too many', field: 'seats' }), { message: 'seats: Too many' }],
  [refused(409, { message: 'Closed.' }), { message: 'Closed.' }],
  [refused(500, { message: 'Internal error' }), { message: 'We couldn’t save it.' }],
  [new TypeError('Failed to fetch'), { message: 'We couldn’t save it.' }],
])('returns the field and the message of the refusal %#', (error, place) => {
  expect(readRefusal(error, (path) => ['title', 'parts.1'].includes(path), 'We couldn’t save it.')).toEqual(place)
})

test.each([
  [{ version: 1 }, { version: 2 }, true],
  [{ version: 2 }, { version: 2 }, false],
  [{ version: 3 }, { version: 2 }, false],
  [{}, {}, false],
  [null, null, false],
])('compares the versions of %j and %j', (saved, than, older) => {
  expect(isOlder(saved, than)).toBe(older)
})
