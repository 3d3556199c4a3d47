import { expect, onTestFinished, test, vi } from 'vitest'
import { createByteCache, pack } from './cache.server.ts'
import { asJson } from '../handle.server.ts'

const openCache = () =>
  createByteCache({ listen: async () => undefined, isUp: () => true, close: async () => undefined })

test('caches a limited number of replies and URLs', async () => {
  const cache = openCache()
  for (let i = 0; i < 6000; i++) {
    await cache.get(`key ${i}`, [], async () => asJson('[]'))
    cache.keyOf(`/api/products?q=${i}`, () => 'key')
  }
  expect(cache.count()).toMatchObject({ entries: 5000, aliases: 5000 })
  expect(cache.count().bytes).toBeGreaterThan(5000 * 1024)
})

test('counts the memory of keys and compressed forms, and frees it on eviction', async () => {
  const cache = openCache()
  for (let i = 0; i < 100; i++) await cache.get(`key ${i}`, [], async () => asJson('x'.repeat(1_000_000)))
  expect(cache.count().entries).toBe(22)
  expect(cache.count().bytes).toBeLessThanOrEqual(64 * 1024 * 1024)
})

test.each(['br', 'gzip'])('retains no memory beyond a reply and its %s form', async (encoding) => {
  const bytes = (await openCache().get('key', [], async () => asJson(`"${'x'.repeat(2000)}"`)))!
  const { body } = pack(bytes, encoding)
  for (const kept of [bytes.plain, body]) expect(kept.buffer.byteLength).toBe(kept.length)
})

test('caches the key of a short URL, but not of a long URL', () => {
  const cache = openCache()
  let reads = 0
  const read = () => `key ${++reads}`
  const [short, long] = ['/api/products', `/api/products?q=${'x'.repeat(600)}`]
  for (const url of [short, short, long, long]) cache.keyOf(url, read)
  expect(reads).toBe(3)
  expect(cache.count().aliases).toBe(1)
})

test('reloads an expired reply without a notification', async () => {
  vi.useFakeTimers({ now: 1_000 })
  onTestFinished(() => void vi.useRealTimers())
  const cache = openCache()
  let loads = 0
  const read = () => cache.get('rates', [], async () => ({ json: `${++loads}`, until: loads * 2_000 }))
  for (const [now, seen] of [
    [1_000, '1'],
    [1_999, '1'],
    [2_000, '2'],
    [3_999, '2'],
  ] as const) {
    vi.setSystemTime(now)
    expect((await read())!.plain.toString()).toBe(seen)
  }
})
