import { onTestFinished, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Input } from '../../kit/contract.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import type { Fault, RenderFault } from '../../kit/watch/caught.client.ts'
import { analyzeError, reportErrors } from './errors.contract.ts'
import { handleLongTask } from './fixes.client.ts'
import { setWatch } from '../../kit/watch/switches.client.ts'

// it would watch the test page
vi.mock('./emptyPage.client.ts', () => ({ watchEmptyPage: () => undefined }))

class Thrown extends Event {
  readonly error: unknown
  constructor(error: unknown) {
    super('error')
    this.error = error
  }
}
class Rejected extends Event {
  readonly reason: unknown
  constructor(reason: unknown) {
    super('unhandledrejection')
    this.reason = reason
  }
}
class Picture extends EventTarget {
  tagName = 'IMG'
  currentSrc = ''
  src = 'https://shop.example/images/7/640.webp'
}

type Answer = (path: string, init?: RequestInit) => Promise<Response>
const answer = vi.fn<Answer>()
const json = (body: object, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }))
let page: EventTarget
let reportSlow: (entry: object) => void
let monitor: typeof import('./monitor.client.ts')

const push = (fault: Event | Fault) =>
  (globalThis as unknown as { caught: { push: (fault: Event | Fault) => void } }).caught.push(fault)
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sentTo = (path: string) =>
  answer.mock.calls.filter(([asked]) => asked === path).map(([, init]) => JSON.parse(init!.body as string) as unknown)
const urgent = () => sentTo('/api/ai/analyze-error') as Input<typeof analyzeError>[]
const others = () => sentTo('/api/errors') as Input<typeof reportErrors>[]

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  vi.resetModules()
  queryClient.clear()
  const kept = new Map<string, string>()
  page = new EventTarget()
  answer.mockReset().mockImplementation(() => json({ success: true }))
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('caught', [])
  vi.stubGlobal('fetch', answer)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('location', { href: 'https://shop.example/cart?code=7', origin: 'https://shop.example' })
  vi.stubGlobal('navigator', { userAgent: 'test', onLine: true })
  vi.stubGlobal('document', { documentElement: { dataset: { release: '1.2.3' } }, adoptedStyleSheets: [] })
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync() {}
    },
  )
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static supportedEntryTypes = ['longtask']
      constructor(hear: (list: object) => void) {
        reportSlow = (entry) => hear({ getEntries: () => [entry] })
      }
      observe() {}
      disconnect() {}
    },
  )
  monitor = await import('./monitor.client.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('processes early errors and listens for later ones', async () => {
  push(new Thrown(new Error('Payment button is gone')))
  monitor.startMonitor()
  push(new Rejected(new Error('api is gone')))
  await wait(0)
  expect(monitor.errorCounts.read()).toEqual({ total: 2, autoFixed: 0 })
  expect(urgent().map(({ error }) => [error.message, error.severity, error.type])).toEqual([
    ['Payment button is gone', 'critical', 'javascript'],
    ['api is gone', 'high', 'javascript'],
  ])
})

test("sends a record in the specified shape, with the page's release and without personal data", async () => {
  monitor.startMonitor()
  push(new Thrown(new Error('api: ada@shop.example paid with 4111 1111 1111 1111')))
  await wait(0)
  const [sent] = urgent()
  expect(sent!.context).toEqual({ userAgent: 'test', timestamp: Date.now(), url: 'https://shop.example/cart' })
  expect(Object.keys(sent!.error).sort()).toEqual([
    'autoFixed',
    'id',
    'message',
    'severity',
    'stack',
    'timestamp',
    'type',
    'userAgent',
  ])
  expect(sent!.error).toMatchObject({ message: 'api: [e-mail] paid with [number]', autoFixed: false })
  expect(JSON.stringify(sent)).not.toContain('ada@')
  expect(analyzeError.input.safeParse(sent).success).toBe(true)
  expect(answer.mock.calls[0]![1]!.headers).toMatchObject({ 'x-release': '1.2.3' })
})

test('sends errors that are not urgent in one batch after 20 s or when the page is left', async () => {
  monitor.startMonitor()
  for (const text of ['x is odd', 'y is odd']) push(new Thrown(new Error(text)))
  await wait(19_999)
  expect(others()).toEqual([])
  await wait(1)
  expect(others().map(({ errors }) => errors.map(({ message }) => message))).toEqual([['x is odd', 'y is odd']])
  expect(reportErrors.input.safeParse(others()[0]).success).toBe(true)
  push(new Thrown(new Error('z is odd')))
  await wait(0)
  page.dispatchEvent(new Event('pagehide'))
  expect(others()).toHaveLength(2)
  expect(urgent()).toEqual([])
})

test('sends at most ten records a minute', async () => {
  monitor.startMonitor()
  for (let i = 0; i < 100; i++)
    push(new Thrown(new Error(`api ${'abcdefghij'[i % 10]}${'abcdefghij'[Math.floor(i / 10)]}`)))
  await wait(0)
  expect([monitor.errorCounts.read().total, urgent().length]).toEqual([100, 10])
})

test('retries a failed read after a second, and counts it as fixed only after a response', async () => {
  monitor.startMonitor()
  let isUp = false
  answer.mockImplementation(() => (isUp ? json([]) : json({}, 503)))
  await fetch('/api/products')
  await wait(999)
  expect(urgent()).toEqual([])
  isUp = true
  await wait(1)
  expect(urgent()[0]!.error).toMatchObject({
    message: 'Network error: GET /api/products was answered with 503',
    autoFixed: true,
  })
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: 1 })
  isUp = false
  await fetch('/api/orders')
  await wait(1000)
  expect(urgent()[1]!.error.autoFixed).toBe(false)
  expect(monitor.errorCounts.read()).toEqual({ total: 2, autoFixed: 1 })
})

test('re-reads the data on the page, and counts the fix only if a fresh response has a missing field', async () => {
  monitor.startMonitor()
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient: cache, query } = await import('../../kit/query/query.client.ts')
  const { getStatus } = await import('../health/status.contract.ts')
  let parts: object[] = [{ name: 'mail' }]
  answer.mockImplementation((path) => json(path === '/api/status' ? parts : { success: true }))
  await cache.fetchQuery(query(getStatus, {}))
  onTestFinished(new QueryObserver(cache, query(getStatus, {})).subscribe(() => undefined))
  push(new Thrown(new TypeError('api: grade is undefined')))
  await wait(0)
  parts = [{ name: 'mail', grade: 'ok' }]
  push(new Thrown(new TypeError('api: a grade is undefined')))
  await wait(0)
  expect(cache.getQueryData(query(getStatus, {}).queryKey)).toEqual(parts)
  push(new Thrown(new TypeError('api: something else is undefined')))
  await wait(0)
  expect(urgent().map(({ error }) => error.autoFixed)).toEqual([false, true, false])
})

test('passes the repeated read to the page that waits for it', async () => {
  monitor.startMonitor()
  const { queryClient: cache } = await import('../../kit/query/query.client.ts')
  answer.mockImplementation(() => json({}, 503))
  await cache.fetchQuery({ queryKey: ['/api/products'] }).catch(() => undefined)
  answer.mockImplementation(() => json([{ id: '1' }]))
  await wait(1000)
  expect(cache.getQueryData(['/api/products'])).toEqual([{ id: '1' }])
})

test('never repeats a failed write', async () => {
  monitor.startMonitor()
  answer.mockImplementation((path) =>
    path === '/api/cart' ? Promise.reject(new TypeError('Failed to fetch')) : json({}),
  )
  await fetch('/api/cart', { method: 'POST' }).catch(() => undefined)
  await wait(60_000)
  expect(answer.mock.calls.filter(([path]) => path === '/api/cart')).toHaveLength(1)
  expect(urgent()[0]!.error).toMatchObject({
    message: 'Network error: POST /api/cart was not answered',
    autoFixed: false,
  })
})

test('ignores refusals, aborted requests, other hosts and offline errors', async () => {
  monitor.startMonitor()
  answer.mockImplementation((path) => {
    if (path === '/given-up') return Promise.reject(Object.assign(new Error('aborted'), { name: 'AbortError' }))
    return path === '/down'
      ? Promise.reject(new TypeError('Failed to fetch'))
      : json({}, path === '/refused' ? 409 : 500)
  })
  await fetch('/refused')
  await fetch('https://elsewhere.example/x')
  await fetch('/given-up').catch(() => undefined)
  Object.assign(navigator, { onLine: false })
  await fetch('/down').catch(() => undefined)
  expect(monitor.errorCounts.read().total).toBe(0)
})

test('reports an image that does not load as a network error', async () => {
  monitor.startMonitor()
  const failed = new Event('error')
  Object.defineProperty(failed, 'target', { value: new Picture() })
  answer.mockImplementation((path) => json({}, String(path).includes('/images/') ? 404 : 200))
  push(failed)
  await wait(1000)
  expect(urgent()[0]!.error).toMatchObject({
    type: 'network',
    severity: 'high',
    message: 'Network error: image /images/7/640.webp could not be loaded',
    autoFixed: false,
  })
})

test.each([
  [120, true],
  [900, false],
])('enables light mode after a slow entry; a next long task of %i ms makes it fixed: %s', async (duration, isFixed) => {
  monitor.startMonitor()
  reportSlow({ entryType: 'longtask', name: 'self', duration: 3500 })
  await wait(0)
  expect(document.documentElement.dataset.light).toBe('')
  expect(document.adoptedStyleSheets).toHaveLength(1)
  reportSlow({ entryType: 'longtask', name: 'self', duration })
  await wait(20_000)
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: Number(isFixed) })
  expect(others()[0]!.errors[0]).toMatchObject({ type: 'performance', severity: 'low', autoFixed: isFixed })
  handleLongTask(0)
})

const part = () => ({
  componentStack: 'at Page',
  isHere: vi.fn<() => boolean>(() => true),
  remount: vi.fn<() => boolean>(() => true),
  say: vi.fn<(note: string) => void>(),
})
const crash = (render: RenderFault) =>
  push({ error: new TypeError("Cannot read properties of undefined (reading 'x')"), render })

test('renders a failed part again after a second, and counts it as fixed if it works for 10 s', async () => {
  monitor.startMonitor()
  const render = part()
  crash(render)
  await wait(0)
  expect(render.say).toHaveBeenCalledWith(
    'The store was notified and is applying automatic fixes. The page got an answer that it could not read. Nothing that you saved is lost.',
  )
  const [sent] = urgent()
  expect(sent!.error).toMatchObject({ name: 'TypeError', message: "Cannot read properties of undefined (reading 'x')" })
  expect(sent!.context).toMatchObject({ componentStack: 'at Page', errorBoundary: true })
  await wait(1000)
  expect(render.remount).toHaveBeenCalledTimes(1)
  await wait(9_999)
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: 0 })
  await wait(1)
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: 1 })
})

test('sends no personal data of a failed part', async () => {
  monitor.startMonitor()
  const error = new Error('No cart for ada@shop.example')
  error.stack = `${error}\n    at draw (https://shop.example/assets/cart.js?token=sesame:1:2)`
  push({ error, render: { ...part(), componentStack: 'at Card (4111 1111 1111 1111)' } })
  await wait(0)
  expect(urgent()).toMatchObject([{ error: { message: 'No cart for [e-mail]' } }])
  expect(JSON.stringify(urgent())).not.toMatch(/ada@|sesame|4111/)
})

test('retries a part that fails again with fresh data, and reports that this did not help', async () => {
  monitor.startMonitor()
  const render = part()
  render.remount.mockImplementation(() => {
    crash(render)
    return true
  })
  crash(render)
  await wait(21_000)
  expect(render.remount).toHaveBeenCalledTimes(2)
  expect(render.say).toHaveBeenLastCalledWith(
    'The store was notified. The page was drawn again twice, the second time with fresh data. That did not help. The page got an answer that it could not read. Nothing that you saved is lost.',
  )
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: 0 })
  expect(urgent()).toHaveLength(1)
})

test('counts no fix when the buyer left, and shows no notification without a response', async () => {
  monitor.startMonitor()
  answer.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')))
  const render = part()
  crash(render)
  await wait(5000)
  render.isHere.mockReturnValue(false)
  await wait(30_000)
  expect(render.say).not.toHaveBeenCalled()
  expect(monitor.errorCounts.read()).toEqual({ total: 1, autoFixed: 0 })
})

test('reports nothing while error monitoring is off', async () => {
  const { setWatch: turn } = await import('../../kit/watch/switches.client.ts')
  monitor.startMonitor()
  turn('errors', false)
  push(new Thrown(new Error('api is gone')))
  answer.mockImplementation(() => json({}, 500))
  await fetch('/api/products')
  await wait(60_000)
  expect([monitor.errorCounts.read().total, urgent().length]).toEqual([0, 0])
  turn('errors', true)
  push(new Thrown(new Error('api is gone')))
  await wait(0)
  expect(monitor.errorCounts.read().total).toBe(1)
  setWatch('errors', true)
})

test('sends nothing after error monitoring is switched off, not even collected records', async () => {
  const { setWatch: turn } = await import('../../kit/watch/switches.client.ts')
  monitor.startMonitor()
  push(new Thrown(new Error('x is odd')))
  answer.mockImplementation(() => json({}, 503))
  await fetch('/api/products')
  turn('errors', false)
  page.dispatchEvent(new Event('pagehide'))
  await wait(60_000)
  expect([others(), urgent()]).toEqual([[], []])
  expect(monitor.errorCounts.read().total).toBe(2)
})

test('never reports errors from a time when monitoring was off', async () => {
  const { setWatch: turn } = await import('../../kit/watch/switches.client.ts')
  turn('errors', false)
  push(new Thrown(new Error('api is gone')))
  monitor.startMonitor()
  push(new Thrown(new Error('api is gone again')))
  await wait(5000)
  turn('errors', true)
  // browsers deliver earlier entries to a new listener
  reportSlow({ entryType: 'longtask', name: 'self', startTime: performance.now() - 1000, duration: 3500 })
  await wait(60_000)
  expect(monitor.errorCounts.read().total).toBe(0)
  reportSlow({ entryType: 'longtask', name: 'self', startTime: performance.now(), duration: 3500 })
  expect(monitor.errorCounts.read().total).toBe(1)
})

test('does not disable motion when only the network is slow', async () => {
  monitor.startMonitor()
  reportSlow({ entryType: 'resource', name: 'https://shop.example/assets/x.js', duration: 3500 })
  await wait(20_000)
  expect(document.documentElement.dataset.light).toBeUndefined()
  expect(others()[0]!.errors[0]).toMatchObject({ type: 'performance', autoFixed: false })
})
