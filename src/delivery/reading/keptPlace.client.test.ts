import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPlaceOf } from './keptPlace.client.ts'

const { call } = vi.hoisted(() => ({ call: vi.fn<(...given: unknown[]) => Promise<unknown>>() }))
vi.mock('../../kit/call.client.ts', () => ({ call }))

beforeEach(() => {
  call.mockReset().mockResolvedValue({})
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => vi.unstubAllGlobals())

test('sends a place once, and again if another share counts as read there', async () => {
  const kept = keepPlaceOf('line', 'file')
  for (const share of [1, 1, 0.5]) {
    kept.note('1/0', share)
    kept.send()
    await new Promise((done) => setTimeout(done))
  }
  kept.stop()
  expect(call.mock.calls.map(([, given]) => given)).toMatchObject([
    { id: 'line', fileId: 'file', place: '1/0', share: 1 },
    { place: '1/0', share: 0.5 },
  ])
})
