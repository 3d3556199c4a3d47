import { onTestFinished, vi } from 'vitest'

/** Moves `performance.now()` forward during a test. */
export function createClock() {
  const read = performance.now.bind(performance)
  let ahead = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => read() + ahead)
  onTestFinished(() => clock.mockRestore())
  return { advance: (ms: number) => void (ahead += ms) }
}
