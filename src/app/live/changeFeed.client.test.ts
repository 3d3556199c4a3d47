import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../kit/query/query.client.ts'
import { live } from '../../kit/query/useLive.ts'
import { followChangeFeed } from './changeFeed.client.ts'

class Source extends EventTarget {
  static readonly CLOSED = 2
  static opened: Source[] = []
  readyState = 0
  onopen: () => void = () => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onerror: () => void = () => undefined
  constructor() {
    super()
    Source.opened.push(this)
  }
  close() {
    this.readyState = Source.CLOSED
  }
  open() {
    this.readyState = 1
    this.onopen()
  }
  /** Answers with something other than an event stream. The browser then gives up. */
  refuse() {
    this.readyState = Source.CLOSED
    this.onerror()
  }
}

let page: EventTarget & { hidden: boolean }
let stop: () => void
const wait = (ms: number) => vi.advanceTimersByTime(ms)
const hide = (hidden: boolean) => {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}
const last = () => Source.opened.at(-1)!

beforeEach(() => {
  vi.useFakeTimers()
  Source.opened = []
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('EventSource', Source)
  stop = followChangeFeed()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a visible page has one connection, and a hidden page has none', () => {
  wait(3000)
  last().open()
  expect([Source.opened.length, live.read()]).toEqual([1, true])
  hide(true)
  expect([last().readyState, live.read()]).toEqual([Source.CLOSED, false])
  wait(600_000)
  expect(Source.opened).toHaveLength(1)
  hide(false)
  expect(Source.opened).toHaveLength(2)
})

test('refetches after a lost connection, and pages poll until the connection is back', () => {
  const readAnew = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  wait(3000)
  last().open()
  expect(readAnew).not.toHaveBeenCalled()
  // the connection drops and the browser reconnects
  last().readyState = 0
  last().onerror()
  expect(live.read()).toBe(false)
  wait(600_000)
  expect(Source.opened).toHaveLength(1)
  last().open()
  expect(readAnew).toHaveBeenCalled()
  expect(live.read()).toBe(true)
})

test('a sale refetches the sales, the overview and the customers of the seller', () => {
  const readAnew = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  wait(3000)
  last().open()
  last().onmessage({ data: 'sales' })
  expect(readAnew.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([
    ['/api/account/sales'],
    ['/api/account/sales/summary'],
    ['/api/selling/overview'],
    ['/api/selling/customers'],
  ])
})

test('a rejected page reconnects with growing delays until it succeeds', () => {
  wait(3000)
  const opened = [15_000, 30_000, 60_000, 120_000, 240_000, 240_000].map((ms) => {
    last().refuse()
    wait(ms - 1)
    const before = Source.opened.length
    wait(1)
    return Source.opened.length - before
  })
  expect(opened).toEqual([1, 1, 1, 1, 1, 1])
  last().open()
  last().refuse()
  wait(15_000)
  expect(Source.opened).toHaveLength(8)
  stop()
  last().refuse()
  wait(600_000)
  expect(Source.opened).toHaveLength(8)
})
