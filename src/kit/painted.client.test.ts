import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { painted } from './painted.client.ts'

let drawFrame: () => void
let isDone: boolean

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => (drawFrame = run))
  isDone = false
  void painted().then(() => (isDone = true))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('starts work after the next frame, not within it', async () => {
  await vi.advanceTimersByTimeAsync(99)
  expect(isDone).toBe(false)
  drawFrame()
  await Promise.resolve()
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(isDone).toBe(true)
})

test('starts work after 100 ms when no frame is drawn', async () => {
  await vi.advanceTimersByTimeAsync(100)
  expect(isDone).toBe(true)
})
