import { afterEach, expect, test, vi } from 'vitest'
import { prefetch, whenNear } from './prefetch.client.ts'

const read = vi.fn<(href: string) => void>()
whenNear(read)
afterEach(() => {
  read.mockClear()
  vi.unstubAllGlobals()
})

test.each([[undefined], [{}], [{ saveData: false }]])('prefetches a page at once, with connection %j', (connection) => {
  vi.stubGlobal('navigator', { connection })
  prefetch('/orders')
  expect(read).toHaveBeenCalledExactlyOnceWith('/orders')
})

test('prefetches nothing for a customer who saves data', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  prefetch('/orders')
  await vi.runAllTimersAsync()
  expect(read).not.toHaveBeenCalled()
  vi.useRealTimers()
})
