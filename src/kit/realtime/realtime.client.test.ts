import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realtime, startPolling } from './realtime.client.ts'

type Answer = (path: string, init: RequestInit) => Promise<Response>
const answer = vi.fn<Answer>()
const hear = vi.fn<(answer: unknown, sinceMs: number) => void>()
const told = () => Promise.resolve(new Response('{"version":"1"}'))
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const asked = () => answer.mock.calls.length
let page: EventTarget & { hidden: boolean }
let stop: () => void

const hide = (hidden: boolean) => {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}
const connect = (onLine: boolean) => {
  vi.stubGlobal('navigator', { onLine })
  page.dispatchEvent(new Event(onLine ? 'online' : 'offline'))
}

beforeEach(async () => {
  vi.useFakeTimers()
  answer.mockReset().mockImplementation(told)
  hear.mockReset()
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('fetch', answer)
  // fake timers do not control AbortSignal.timeout
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController()
    setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms)
    return late.signal
  })
  stop = startPolling({ path: '/api/real-time/products', hear })
  await wait(0)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('polls at once and every 10 s with no-cache headers and reports every response', async () => {
  await wait(30_000)
  expect(asked()).toBe(4)
  expect(hear).toHaveBeenCalledTimes(4)
  expect(hear).toHaveBeenLastCalledWith({ version: '1' }, 10_000)
  expect(answer.mock.calls[0]![1]).toMatchObject({
    cache: 'no-store',
    credentials: 'include',
    headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
  })
  expect(realtime.read()).toEqual({ state: 'connected', message: null, failures: 0 })
})

test('sends the last ETag, so that an unchanged answer is not sent again', async () => {
  const marked = (version: string) =>
    Promise.resolve(new Response(`{"version":"${version}"}`, { headers: { etag: `"rt-${version}"` } }))
  answer.mockImplementation(() => marked('2'))
  await wait(10_000)
  answer.mockImplementation((_path, { headers }) =>
    (headers as Record<string, string>)['if-none-match'] === '"rt-2"'
      ? Promise.resolve(new Response(null, { status: 304 }))
      : marked('wrong'),
  )
  await wait(20_000)
  expect(hear).toHaveBeenCalledTimes(4)
  expect(hear).toHaveBeenLastCalledWith({ version: '2' }, 10_000)
  expect(realtime.read().state).toBe('connected')
})

test('stops while the page is hidden and polls at once when it is shown', async () => {
  hide(true)
  await wait(10 * 60_000)
  expect(asked()).toBe(1)
  hide(false)
  await wait(0)
  expect(asked()).toBe(2)
  expect(hear).toHaveBeenLastCalledWith({ version: '1' }, 10 * 60_000)
  await wait(10_000)
  expect(asked()).toBe(3)
})

test('runs one poller after the page was hidden and shown', async () => {
  for (let i = 0; i < 5; i++) {
    hide(true)
    hide(false)
  }
  await wait(0)
  const before = asked()
  await wait(30_000)
  expect(asked() - before).toBe(3)
})

test('retries after 1, 2 and 4 s, then polls every 10 s and shows the reason', async () => {
  answer.mockImplementation(() => Promise.resolve(new Response('', { status: 503, statusText: 'Unavailable' })))
  await wait(10_000)
  const at: [number, string | null][] = []
  for (const ms of [0, 1000, 2000, 4000, 10_000]) {
    await wait(ms)
    at.push([asked(), realtime.read().message])
  }
  expect(at).toEqual([
    [2, 'Connection failed, retrying... (1/3)'],
    [3, 'Connection failed, retrying... (2/3)'],
    [4, 'Connection failed, retrying... (3/3)'],
    [5, 'HTTP 503: Unavailable'],
    [6, 'HTTP 503: Unavailable'],
  ])
  answer.mockImplementation(told)
  await wait(10_000)
  expect(realtime.read().state).toBe('connected')
})

test('aborts a request without a response and counts it as a failure', async () => {
  answer.mockImplementation(
    (_path, { signal }) =>
      new Promise((_done, fail) => signal!.addEventListener('abort', () => fail(signal!.reason as Error))),
  )
  await wait(10_000)
  expect(realtime.read().state).toBe('connected')
  await wait(10_000)
  expect(realtime.read()).toMatchObject({ state: 'error', message: 'Connection failed, retrying... (1/3)' })
})

test('pauses and shows a message while offline, and resumes when online', async () => {
  connect(false)
  expect(realtime.read()).toMatchObject({ state: 'disconnected', message: 'No internet connection' })
  await wait(60_000)
  expect(asked()).toBe(1)
  connect(true)
  await wait(0)
  expect([asked(), realtime.read().state]).toEqual([2, 'connected'])
})
