import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addToCart, getCart } from '../../cart/cart.contract.ts'

const reload = vi.fn<() => void>()
let endWatch = () => {}
const sent: (string | null)[] = []
const refusal = JSON.stringify({ message: 'Another account is signed in.', code: 'other_account' })

beforeEach(() => {
  vi.resetModules()
  reload.mockReset()
  sent.length = 0
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('x-account'))
    return new Response(refusal, { status: 409 })
  })
})
afterEach(() => {
  endWatch()
  vi.unstubAllGlobals()
})

const open = async () => ({
  ...(await import('../../kit/call.client.ts')),
  ...(await import('./watchSession.client.ts')),
  ...(await import('../../kit/forcedLeave.client.ts')),
  ...(await import('../../kit/query/query.client.ts')),
})

test('a write sends the account of the page, and a refusal for another account reloads a page with changes too', async () => {
  const { call, watchSession, isLeaveForced } = await open()
  endWatch = watchSession('ada')
  const add = call(addToCart, { productId: crypto.randomUUID(), quantity: 1 })
  await expect(add).rejects.toMatchObject({ code: 'other_account' })
  expect([sent, reload.mock.calls.length, isLeaveForced()]).toEqual([['ada'], 1, true])
})

test('a read sends the account of the page, and a refusal for another account reloads it', async () => {
  const { watchSession, query, queryClient } = await open()
  endWatch = watchSession('ada')
  const stop = new QueryObserver(queryClient, query(getCart, {})).subscribe(() => {})
  await expect.poll(() => reload.mock.calls.length).toBe(1)
  stop()
  expect(sent).toEqual(['ada'])
})
