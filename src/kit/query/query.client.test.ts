import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { send } from '../call.ts'
import { endpoint } from '../contract.ts'
import { getJson, keyOf, pathOfKey, queryClient } from './query.client.ts'

const any = { access: 'public', about: '', reply: z.unknown() } as const
const getProduct = endpoint('GET /api/products/:id', { ...any, input: z.object({ id: z.string() }) })
const listReviews = endpoint('GET /api/products/:id/reviews', {
  ...any,
  input: z.object({ id: z.string(), limit: z.number() }),
})
const listProducts = endpoint('GET /api/products', { ...any, input: z.object({ limit: z.optional(z.number()) }) })

test('turns a key into the path of its segments', () => {
  expect(pathOfKey(['/api/products', 'a1'])).toBe('/api/products/a1')
  expect(pathOfKey(['/api', 'auth', 'user'])).toBe('/api/auth/user')
})

test('converts the object at the end of a key to the query string', () => {
  expect(pathOfKey(['/api/products', { limit: 3, q: 'jazz & rain', sort: undefined }])).toBe(
    '/api/products?limit=3&q=jazz+%26+rain',
  )
  expect(pathOfKey(['/api/products', {}])).toBe('/api/products')
})

test('begins the key of a call with its fixed path', () => {
  expect(keyOf(getProduct, { id: 'a1' })).toEqual(['/api/products', 'a1'])
  expect(keyOf(listProducts, { limit: 3 })).toEqual(['/api/products', { limit: 3 }])
  expect(keyOf(listProducts, {})).toEqual(['/api/products'])
})

test('includes path segments after the id', () => {
  const asked = { id: 'a1', limit: 5 }
  expect(keyOf(listReviews, asked)).toEqual(['/api/products', 'a1', 'reviews', { limit: 5 }])
  expect(pathOfKey(keyOf(listReviews, asked))).toBe('/api/products/a1/reviews?limit=5')
})

describe('reads', () => {
  let asked: string[] = []
  const answer = (text: string, init: ResponseInit = {}) => {
    vi.stubGlobal('fetch', (path: string, { credentials }: RequestInit) => {
      asked.push(`${path} ${credentials}`)
      return Promise.resolve(new Response(text, init))
    })
  }
  beforeEach(() => {
    asked = []
    queryClient.clear()
    vi.stubGlobal('window', {})
  })
  afterEach(() => vi.unstubAllGlobals())

  test('fetches the path of a key with cookies, once, and never as stale', async () => {
    answer('[{"id":"a"}]')
    const options = { queryKey: ['/api', 'categories'] }
    expect(await queryClient.fetchQuery(options)).toEqual([{ id: 'a' }])
    await queryClient.fetchQuery(options)
    expect(asked).toEqual(['/api/categories include'])
    const { queries, mutations } = queryClient.getDefaultOptions()
    expect(queries).toMatchObject({
      ...{ retry: false, staleTime: Infinity, refetchOnWindowFocus: false, refetchInterval: false },
    })
    expect(mutations).toMatchObject({ retry: false })
  })

  test('does not retry a refusal; its message is the status and the body, or the status text', async () => {
    answer('{"message":"Gone"}', { status: 410 })
    await expect(queryClient.fetchQuery({ queryKey: ['/api/a'] })).rejects.toThrow(/^410: {"message":"Gone"}$/)
    answer('', { status: 503, statusText: 'Service Unavailable' })
    await expect(queryClient.fetchQuery({ queryKey: ['/api/b'] })).rejects.toThrow(/^503: Service Unavailable$/)
    expect(asked).toHaveLength(2)
  })

  test('sends a JSON body only when data is given', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', (_: string, { body, headers }: RequestInit) => {
      bodies.push([body, (headers as Record<string, string>)['content-type']])
      return Promise.resolve(new Response('{}'))
    })
    await send(endpoint('DELETE /api/cart', any), {})
    const input = z.object({ productId: z.string(), quantity: z.number() })
    await send(endpoint('POST /api/cart', { ...any, input }), { productId: 'a', quantity: 1 })
    expect(bodies).toEqual([
      [undefined, undefined],
      ['{"productId":"a","quantity":1}', 'application/json'],
    ])
  })

  test('returns null for a 401 on request, and an error otherwise', async () => {
    answer('{"message":"Unauthorized"}', { status: 401 })
    const queryKey = ['/api/auth/user']
    await expect(getJson()({ queryKey })).rejects.toThrow('401: {"message":"Unauthorized"}')
    expect(await getJson({ on401: 'returnNull' })({ queryKey })).toBe(null)
    answer('{"message":"Broken"}', { status: 500 })
    await expect(getJson({ on401: 'returnNull' })({ queryKey })).rejects.toThrow('500: ')
  })
})
