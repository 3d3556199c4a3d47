import { expect, test } from 'vitest'
import type { Product } from '../catalogue.contract.ts'
import { applyChanges } from './liveProducts.rules.ts'

const book: Product = {
  id: 'a',
  title: 'A book',
  description: null,
  price: '10.00',
  categoryId: 'ebooks',
  imageUrl: null,
  isActive: true,
}
const shelf = [book, { ...book, id: 'b' }]
const told = { version: '1', changed: [] as { id: string; title: string; price: string }[], removed: [] as string[] }

test('a new price and a new title show in place, and the others stay the same objects', () => {
  const next = applyChanges(shelf, { ...told, changed: [{ id: 'a', title: 'A new book', price: '12.00' }] })
  expect(next[0]).toEqual({ ...book, title: 'A new book', price: '12.00' })
  expect(next[1]).toBe(shelf[1])
})

test('what was taken off the shelf cannot be bought, and can again when it is back', () => {
  const [off] = applyChanges([book], { ...told, removed: ['a'] })
  expect(off!.isActive).toBe(false)
  const [back] = applyChanges([off!], { ...told, changed: [{ id: 'a', title: 'A book', price: '10.00' }] })
  expect(back).toEqual(book)
})

test('nothing new is nothing drawn', () => {
  expect(applyChanges(shelf, told)).toBe(shelf)
  expect(applyChanges(shelf, { ...told, changed: [{ id: 'a', title: 'A book', price: '10.00' }] })).toBe(shelf)
  expect(applyChanges(shelf, { ...told, changed: [{ id: 'z', title: 'Another', price: '1.00' }] })).toBe(shelf)
})
