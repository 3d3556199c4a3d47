import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addToCart } from '../cart/cart.contract.ts'
import { call, whenUnauthorized } from '../kit/call.client.ts'
import { toasts } from '../ui/toasts/toast.client.ts'

const assign = vi.fn<(url: string) => void>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { pathname: '/categories', search: '?q=salt', assign })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"message":"Unauthorized"}', { status: 401 })))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a write without a session shows a notification, then opens sign-in with the return path after 500 ms', async () => {
  const { leaveForSignIn } = await import('./leave.client.ts')
  whenUnauthorized(leaveForSignIn)
  const add = () => call(addToCart, { productId: crypto.randomUUID(), quantity: 1 })
  await expect(add()).rejects.toThrow(/^401: /)
  await expect(add()).rejects.toThrow(/^401: /)
  expect(toasts.read()).toMatchObject([
    { title: 'Unauthorized', description: 'You are logged out. Logging in again...', tone: 'bad' },
  ])
  vi.advanceTimersByTime(499)
  expect(assign).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(assign.mock.calls).toEqual([['/api/login?returnTo=%2Fcategories%3Fq%3Dsalt']])
})
