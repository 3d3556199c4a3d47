import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyOf, query, queryClient } from '../kit/query/query.client.ts'
import { type CartItem, getCart } from './cart.contract.ts'
import { changeCart, settleCart, withChanges } from './cartChanges.client.ts'

const product = {
  price: '8.50',
  title: 'Night Trains',
  description: null,
  imageUrl: null,
  categoryId: 'audio',
  isActive: true,
}
const key = keyOf(getCart, {})
let served: CartItem[]
let requests: string[]
let refuses: boolean

const confirmed = () => queryClient.getQueryData<CartItem[]>(key) ?? []
const shown = () => withChanges(confirmed())
const quantities = () => Object.fromEntries(shown().map(({ productId, quantity }) => [productId, quantity]))

/** A server with one cart. A change takes 50 ms; a read takes 200 ms and returns the cart at its start. */
async function serve(path: string, { method = 'GET', body }: RequestInit): Promise<Response> {
  if (method === 'GET') {
    const read = Response.json(served)
    await new Promise((resolve) => setTimeout(resolve, 200))
    return read
  }
  requests.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`.trim())
  await new Promise((resolve) => setTimeout(resolve, 50))
  if (refuses) return new Response('{"message":"Broken"}', { status: 500 })
  const { productId, quantity } = (typeof body === 'string' ? JSON.parse(body) : {}) as {
    productId: string
    quantity: number
  }
  const id = path.split('/')[3]
  const line = served.find((one) => one.id === id || one.productId === productId)
  if (method === 'POST' && line) line.quantity += quantity
  else if (method === 'POST') served.push({ id: `line-${productId}`, productId, quantity, product })
  else if (method === 'PUT') line!.quantity = quantity
  else served = id ? served.filter((one) => one !== line) : []
  return Response.json(served)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', serve)
  served = [
    { id: 'line-a', productId: 'a', quantity: 1, product },
    { id: 'line-b', productId: 'b', quantity: 2, product },
  ]
  requests = []
  refuses = false
  queryClient.setQueryData(key, structuredClone(served))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const press = (quantity: number) => changeCart({ kind: 'quantity', productId: 'a', quantity })

test('a quantity change within the debounce time does not drop a chosen price', async () => {
  void changeCart({ kind: 'quantity', productId: 'a', quantity: 1, price: '6.00' })
  void press(3)
  expect(shown()[0]).toMatchObject({ quantity: 3, product: { price: '6.00' } })
  await vi.advanceTimersByTimeAsync(1000)
  expect(requests).toEqual(['PUT /api/cart/line-a {"quantity":3,"price":"6.00"}'])
})

test('shows five quick presses at once and sends the last quantity in one request', async () => {
  for (const quantity of [2, 3, 4, 5, 6]) void press(quantity)
  expect(quantities()).toEqual({ a: 6, b: 2 })
  await vi.runAllTimersAsync()
  expect(requests).toEqual(['PUT /api/cart/line-a {"quantity":6}'])
  expect(quantities()).toEqual({ a: 6, b: 2 })
  expect(shown()).toEqual(confirmed())
})

test('presses that return to the first quantity send no request', async () => {
  void press(2)
  void press(1)
  await vi.runAllTimersAsync()
  expect(requests).toEqual([])
})

test('rolls back a refused change and nothing else', async () => {
  refuses = true
  const refused = changeCart({ kind: 'remove', productId: 'b' })
  const failure = expect(refused).rejects.toThrow('500')
  expect(quantities()).toEqual({ a: 1 })
  await vi.advanceTimersByTimeAsync(60)
  await failure
  expect(quantities()).toEqual({ a: 1, b: 2 })
})

test('changes the quantity of a product before the server has confirmed its addition', async () => {
  void changeCart({ kind: 'add', productId: 'c', quantity: 1, product })
  void changeCart({ kind: 'quantity', productId: 'c', quantity: 4 })
  expect(quantities()).toEqual({ a: 1, b: 2, c: 4 })
  await vi.runAllTimersAsync()
  expect(requests).toEqual(['POST /api/cart {"productId":"c","quantity":1}', 'PUT /api/cart/line-c {"quantity":4}'])
})

test('two additions of one product add up before and after the responses', async () => {
  void changeCart({ kind: 'add', productId: 'b', quantity: 1, product })
  void changeCart({ kind: 'add', productId: 'b', quantity: 1, product })
  expect(quantities().b).toBe(4)
  await vi.advanceTimersByTimeAsync(60)
  expect(quantities().b).toBe(4)
  await vi.runAllTimersAsync()
  expect(quantities().b).toBe(4)
})

test('clearing the cart cancels a debounced quantity', async () => {
  void press(5)
  void changeCart({ kind: 'clear' })
  await vi.runAllTimersAsync()
  expect(requests).toEqual(['DELETE /api/cart'])
  expect(quantities()).toEqual({})
})

test('settleCart sends a debounced quantity at once and waits for the response', async () => {
  void press(7)
  const settled = settleCart()
  await vi.advanceTimersByTimeAsync(60)
  await settled
  expect(requests).toEqual(['PUT /api/cart/line-a {"quantity":7}'])
  expect(shown()).toEqual(confirmed())
})

test('a read that started before a change does not restore the earlier cart', async () => {
  void queryClient.prefetchQuery({ ...query(getCart, {}), staleTime: 0 })
  await vi.advanceTimersByTimeAsync(10)
  void changeCart({ kind: 'remove', productId: 'b' })
  await vi.advanceTimersByTimeAsync(60)
  expect(quantities()).toEqual({ a: 1 })
  await vi.runAllTimersAsync()
  expect(quantities()).toEqual({ a: 1 })
})
