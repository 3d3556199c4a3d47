import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoint } from './contract.ts'
import { keyOf, pathOfKey } from './query.client.ts'

const any = { access: 'public', about: '', reply: z.unknown() } as const
const getProduct = endpoint('GET /api/products/:id', { ...any, input: z.object({ id: z.string() }) })
const listReviews = endpoint('GET /api/products/:id/reviews', {
  ...any,
  input: z.object({ id: z.string(), limit: z.number() }),
})
const listProducts = endpoint('GET /api/products', { ...any, input: z.object({ limit: z.optional(z.number()) }) })

test('a key is the path, its segments joined by slashes', () => {
  expect(pathOfKey(['/api/products', 'a1'])).toBe('/api/products/a1')
  expect(pathOfKey(['/api', 'auth', 'user'])).toBe('/api/auth/user')
})

test('what a list is asked for stands last in the key and becomes the query string', () => {
  expect(pathOfKey(['/api/products', { limit: 3, q: 'jazz & rain', sort: undefined }])).toBe(
    '/api/products?limit=3&q=jazz+%26+rain',
  )
  expect(pathOfKey(['/api/products', {}])).toBe('/api/products')
})

test('the key of a call begins with what all its reads share', () => {
  expect(keyOf(getProduct, { id: 'a1' })).toEqual(['/api/products', 'a1'])
  expect(keyOf(listProducts, { limit: 3 })).toEqual(['/api/products', { limit: 3 }])
  expect(keyOf(listProducts, {})).toEqual(['/api/products'])
})

test('what stands behind the id in a path stays there', () => {
  const asked = { id: 'a1', limit: 5 }
  expect(keyOf(listReviews, asked)).toEqual(['/api/products', 'a1', 'reviews', { limit: 5 }])
  expect(pathOfKey(keyOf(listReviews, asked))).toBe('/api/products/a1/reviews?limit=5')
})
