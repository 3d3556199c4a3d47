import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { followOutbox } from './followOutbox.client.ts'
import { enqueue, outbox, sendQueued, takeRefused } from './outbox.client.ts'

const page = new EventTarget()
/** The texts that the server stored, in order. */
let stored: string[]
/** The server's answers to the next messages, which it does not store. */
let refusals: Response[]
let stop = () => {}
const refuse = (status: number, message: string, headers = {}) =>
  refusals.push(new Response(JSON.stringify({ message }), { status, headers }))
const add = (message: string) => enqueue('ada', { message, key: message, at: '' })
function addOffline(...messages: string[]) {
  vi.stubGlobal('navigator', { onLine: false })
  messages.forEach(add)
  vi.stubGlobal('navigator', { onLine: true })
}
const signIn = (id: string) => queryClient.setQueryData(query(getCurrentUser, {}).queryKey, { id } as CurrentUser)
const waiting = () => outbox.read().map(({ message }) => message)

beforeEach(() => {
  vi.useFakeTimers()
  signIn('ada')
  const kept = new Map<string, string>()
  ;[stored, refusals] = [[], []]
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const refusal = refusals.shift()
    if (refusal) return refusal
    const { message } = JSON.parse(body) as { message: string }
    stored.push(message)
    return new Response(JSON.stringify({ id: message }), { status: 201 })
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

test('sends queued messages in order, despite rate limits and lost connections, with the chat closed', async () => {
  addOffline('one', 'two', 'three')
  refuse(429, 'Too many messages', { 'retry-after': '30' })
  stop = followOutbox('ada')
  await vi.waitFor(() => expect(refusals).toEqual([]))
  await pass(29)
  expect(add('four')).toBe(true)
  await pass(0.5)
  expect(stored).toEqual([])
  refuse(503, 'Busy')
  await pass(1)
  expect(refusals).toEqual([])
  // A reconnection triggers an immediate retry.
  page.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(stored).toEqual(['one', 'two', 'three', 'four']))
  expect(waiting()).toEqual([])
})

test('if one tab waits for a rate limit, the other tab sends nothing', async () => {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_: string, run: () => Promise<void>) => (last = last.then(run))
  addOffline('one')
  refuse(429, 'Too many messages', { 'retry-after': '30' })
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
  void sendQueued('ada')
  vi.resetModules()
  const tab = await import('./outbox.client.ts')
  const { queryClient: cache } = await import('../../kit/query/query.client.ts')
  cache.setQueryData(query(getCurrentUser, {}).queryKey, { id: 'ada' } as CurrentUser)
  void tab.sendQueued('ada')
  await pass(29)
  expect([refusals, stored]).toEqual([[], []])
  await pass(1)
  await vi.waitFor(() => expect(stored).toEqual(['one']))
})

test('sends messages behind a refused one, and returns the refused one with the reason', async () => {
  addOffline('one', 'two')
  refuse(400, 'Write something else.')
  stop = followOutbox('ada')
  await vi.waitFor(() => expect(stored).toEqual(['two']))
  expect(takeRefused('ada')).toMatchObject([{ message: 'one', reason: 'Write something else.' }])
  expect(waiting()).toEqual([])
})

test('sends no messages of another member', async () => {
  addOffline('one')
  signIn('bob')
  await sendQueued('ada')
  expect([stored, waiting()]).toEqual([[], ['one']])
})

test('does not queue a message if the browser has no storage', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(add('one')).toBe(false)
})
