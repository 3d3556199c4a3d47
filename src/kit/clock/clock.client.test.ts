import { beforeEach, expect, test, vi } from 'vitest'

let clock: typeof import('./clock.client.ts')
let running = 0
const HOUR = 3_600_000
const at = Date.parse('2026-11-26T12:00:00Z')

beforeEach(async () => {
  vi.resetModules()
  running = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => running)
  clock = await import('./clock.client.ts')
  return () => vi.restoreAllMocks()
})

test.each([
  ['a day ahead', 24 * HOUR],
  ['a day behind', -24 * HOUR],
  ['right', 0],
])('counts from the server’s time when the clock of the device is %s', (_, wrongBy) => {
  vi.spyOn(Date, 'now').mockReturnValue(at + wrongBy)
  expect(clock.serverNow()).toBe(at + wrongBy)
  clock.noteServerTime(new Date(at).toUTCString())
  expect(Math.abs(clock.serverNow() - at)).toBeLessThan(1000)
  running += 60_000
  expect(Math.abs(clock.serverNow() - at - 60_000)).toBeLessThan(1000)
})

test('ignores the time of slow and cached responses, and a missing time', () => {
  clock.noteServerTime(new Date(at).toUTCString())
  const before = clock.serverNow()
  clock.noteServerTime(new Date(at - HOUR).toUTCString())
  clock.noteServerTime(null)
  expect(clock.serverNow()).toBe(before)
  // performance.now() stopped while the device slept
  clock.noteServerTime(new Date(at + HOUR).toUTCString())
  expect(clock.serverNow()).toBe(before + HOUR)
})
