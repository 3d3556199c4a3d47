import { expect, test } from 'vitest'
import type { Product } from '../catalogue.contract.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import { applyChanges } from './liveProducts.client.ts'

const book: Product = {
  id: 'a',
  title: 'A book',
  description: null,
  price: '10.00',
  categoryId: 'ebooks',
  imageUrl: null,
  isActive: true,
  sellerName: 'Ada O.',
  rated: null,
}
const shelf = [book, { ...book, id: 'b' }]
const told = { version: '1', changed: [] as { id: string; title: string; price: string }[], removed: [] as string[] }

const queryKey = ['/api/products', 'test']
/** Returns the cached data after these changes arrive. */
function hear<T>(kept: T, news: Partial<typeof told>): T {
  queryClient.clear()
  queryClient.setQueryData(queryKey, kept)
  queryClient.setQueryData<T>(queryKey, (now) => now && applyChanges(now, { ...told, ...news }))
  return queryClient.getQueryData<T>(queryKey)!
}

test('updates price and title in place and retains the objects of other products', () => {
  const next = hear(shelf, { changed: [{ id: 'a', title: 'A new book', price: '12.00' }] })
  expect(next[0]).toEqual({ ...book, title: 'A new book', price: '12.00' })
  expect(next[1]).toBe(shelf[1])
})

test('updates products in lists, in paged lists and alone', () => {
  const news = { changed: [{ id: 'a', title: 'A new book', price: '12.00' }] }
  const changed = { ...book, title: 'A new book', price: '12.00' }
  expect(hear({ pages: [{ items: [book], total: 1, after: null }], pageParams: [null] }, news)).toEqual({
    pages: [{ items: [changed], total: 1, after: null }],
    pageParams: [null],
  })
  expect(hear({ ...book, file: { name: 'a.pdf' } }, news)).toEqual({ ...changed, file: { name: 'a.pdf' } })
})

test('marks an unlisted product as not for sale until it is listed again', () => {
  const [off] = hear([book], { removed: ['a'] })
  expect(off!.isActive).toBe(false)
  expect(hear([off!], { changed: [{ id: 'a', title: 'A book', price: '10.00' }] })).toEqual([book])
})

test('rerenders nothing without a change', () => {
  expect(applyChanges(shelf, told)).toBe(shelf)
  expect(hear(shelf, { changed: [{ id: 'a', title: 'A book', price: '10.00' }] })).toBe(shelf)
  expect(hear(shelf, { changed: [{ id: 'z', title: 'Another', price: '1.00' }] })).toBe(shelf)
})
