import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inOrder } from '../kit/query/query.client.ts'
import { readEvents, readSessionRisk } from './paymentCheck.client.ts'
import { watchSuspicion } from './suspicion.client.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

class Button extends EventTarget {
  closest = (selector: string) => (selector === 'button' ? this : null)
}

let page: EventTarget
let stop: () => void
const stored = new Map<string, string>()
const press = (isTrusted: boolean, target: object = new Button()) =>
  page.dispatchEvent(
    Object.defineProperties(new Event('click'), { isTrusted: { value: isTrusted }, target: { value: target } }),
  )
const changeCart = (times: number) => {
  for (let i = 0; i < times; i++) void inOrder('cart', () => Promise.resolve())
}
const findings = () =>
  readEvents(Date.now()).map(({ type, severity, description }) => `${type} ${severity} ${description}`)

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  stored.clear()
  page = new EventTarget()
  vi.stubGlobal('Element', Button)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('location', { href: 'https://shop.example/' })
  vi.stubGlobal('screen', { width: 390, height: 844 })
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  })
  stop = watchSuspicion()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('records more than 20 cart changes within ten seconds, once in half an hour', () => {
  changeCart(20)
  expect(findings()).toEqual([])
  changeCart(30)
  const finding = 'suspicious_activity medium More than 20 changes of the cart within ten seconds'
  expect(findings()).toEqual([finding])
  vi.advanceTimersByTime(31 * MINUTE)
  changeCart(21)
  expect(findings()).toEqual([finding])
})

test('ignores 40 cart changes over a minute', () => {
  for (let i = 0; i < 40; i++) {
    changeCart(1)
    vi.advanceTimersByTime(1_500)
  }
  expect(findings()).toEqual([])
})

test('records clicks by a script, but not by a person', () => {
  for (let i = 0; i < 50; i++) press(true)
  for (let i = 0; i < 50; i++) press(false, page)
  press(false)
  press(false)
  expect(findings()).toEqual([])
  press(false)
  expect(findings()).toEqual(['suspicious_activity medium Buttons were pressed by a script'])
})

test('never blocks a buyer by these findings alone', () => {
  changeCart(100)
  for (let i = 0; i < 100; i++) press(false)
  expect(readSessionRisk()).toMatchObject({ riskScore: 50, isBlocked: false })
})

test('stops recording when the returned function runs', () => {
  stop()
  changeCart(30)
  for (let i = 0; i < 30; i++) press(false)
  expect(findings()).toEqual([])
})
