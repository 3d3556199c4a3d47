import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setWatch, whileOn } from '../kit/watch/switches.client.ts'
import { type Activity, looksLikeBot, scoreActivity, watchActivity } from './activity.client.ts'
import type { SecurityEvent } from './hints.contract.ts'
import { isPaymentSafe, readSessionRisk } from './paymentCheck.client.ts'

const MINUTE = 60_000
const NOW = 1_800_000_000_000

test.each<[Activity, number]>([
  [{ moves: 0, keys: 0, clicks: 0 }, 0],
  [{ moves: 10, keys: 0, clicks: 0 }, 3],
  [{ moves: 0, keys: 10, clicks: 0 }, 4],
  [{ moves: 0, keys: 0, clicks: 10 }, 3],
  [{ moves: 5, keys: 5, clicks: 5 }, 5],
])('scores the activity %o as %d', (activity, score) => {
  expect(scoreActivity(activity)).toBeCloseTo(score)
})

const bot = (minutesAgo: number): SecurityEvent => ({
  id: '',
  type: 'bot_detected',
  severity: 'high',
  description: '',
  timestamp: NOW - minutesAgo * MINUTE,
  blocked: false,
  userAgent: '',
})
const quiet = { activity: { moves: 0, keys: 0, clicks: 0 }, seenMs: 15_000, isFresh: true, events: [], now: NOW }

test.each<[string, Partial<Parameters<typeof looksLikeBot>[0]>, boolean]>([
  ['a still session of 15 s', {}, true],
  ['one of exactly 10 s', { seenMs: 10_000 }, true],
  ['a younger one', { seenMs: 9_999 }, false],
  ['a score just under 5', { activity: { moves: 16, keys: 0, clicks: 0 } }, true],
  ['a score of 5', { activity: { moves: 5, keys: 5, clicks: 5 } }, false],
  ['one recorded before, with no activity since', { isFresh: false }, false],
  ['one with activity, recorded 29 minutes ago', { events: [bot(29)] }, false],
  ['one with activity, recorded 30 minutes ago', { events: [bot(30)] }, true],
])('reports that %s looks like a bot: %o', (_, given, expected) => {
  expect(looksLikeBot({ ...quiet, ...given })).toBe(expected)
})

let page: EventTarget & { hidden: boolean }
let stop: () => void
const kept = new Map<string, string>()
const fire = (type: string) => page.dispatchEvent(new Event(type))
const wait = (ms: number) => vi.advanceTimersByTime(ms)
const hide = (hidden: boolean) => {
  page.hidden = hidden
  fire('visibilitychange')
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  kept.clear()
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('location', { href: 'https://shop.example/' })
  vi.stubGlobal('screen', { width: 390, height: 844 })
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nobody answers')))
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  })
  stop = watchActivity()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('scores a phone visitor who reads for ten minutes at 25 or less', () => {
  const scores = new Set<number>()
  for (let second = 0; second < 600; second++) {
    wait(1000)
    scores.add(readSessionRisk().riskScore)
    expect(isPaymentSafe(99_900)).toBe(true)
  }
  expect([...scores]).toEqual([0, 25])
})

test('scores a visitor who touches the page now and then at 25 or less', () => {
  for (let minute = 0; minute < 10; minute++) {
    fire(minute % 2 ? 'touchstart' : 'focusin')
    wait(MINUTE)
    if (minute === 5) {
      stop()
      stop = watchActivity()
    }
    expect(readSessionRisk().riskScore).toBeLessThanOrEqual(25)
  }
  expect(isPaymentSafe(450)).toBe(true)
})

test.each(['mousemove', 'keydown', 'click', 'touchstart', 'scroll', 'focusin'])(
  'treats a visitor with enough activity of the kind %s as a person',
  (kind) => {
    for (let i = 0; i < 17; i++) fire(kind)
    wait(10 * MINUTE)
    expect(readSessionRisk().riskScore).toBe(0)
  },
)

test('counts nothing while the page is hidden', () => {
  wait(9_000)
  hide(true)
  wait(10 * MINUTE)
  expect(readSessionRisk().riskScore).toBe(0)
  hide(false)
  for (let i = 0; i < 17; i++) fire('scroll')
  wait(MINUTE)
  expect(readSessionRisk().riskScore).toBe(0)
})

test('stops recording when the returned function runs', () => {
  stop()
  wait(10 * MINUTE)
  expect(readSessionRisk().riskScore).toBe(0)
})

test('records nothing while security monitoring is off', () => {
  stop()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  })
  setWatch('security', false)
  stop = whileOn('security', watchActivity)
  wait(10 * MINUTE)
  expect(readSessionRisk().riskScore).toBe(0)
  setWatch('security', true)
  wait(MINUTE)
  expect(readSessionRisk().riskScore).toBe(25)
})
