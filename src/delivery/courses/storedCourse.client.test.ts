import { beforeEach, expect, test, vi } from 'vitest'
import { keptCacheOf } from '../library/kept.rules.ts'
import { isOld, storeCourse } from './storedCourse.client.ts'

const { answer } = vi.hoisted(() => ({ answer: vi.fn<() => Promise<unknown>>() }))
vi.mock('../../kit/call.client.ts', () => ({ call: answer }))

/** Stored responses by cache and path. */
const stored = new Map<string, Map<string, Response>>()
const open = async (name: string) => {
  const entries = stored.get(name) ?? new Map<string, Response>()
  stored.set(name, entries)
  return { put: async (path: string, response: Response) => void entries.set(path, response) }
}

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('caches', { open, has: async (name: string) => stored.has(name) })
  answer.mockResolvedValue([])
})

const count = () => [...stored.values()].reduce((sum, entries) => sum + entries.size, 0)

test('stores a course for its member', async () => {
  await storeCourse('ada', 'line')
  expect([...stored.keys()]).toEqual([keptCacheOf('ada')])
  expect(count()).toBe(1)
})

test('stores nothing when the member signs out while the lessons load', async () => {
  answer.mockImplementation(async () => {
    stored.clear()
    return []
  })
  await expect(storeCourse('ada', 'line')).rejects.toThrow('session')
  expect(count()).toBe(0)
})

test('marks a stored course as stale after an hour', () => {
  const storedBefore = (minutes: number) => ({ storedAt: Date.now() - minutes * 60_000 })
  expect([isOld(storedBefore(59)), isOld(storedBefore(61))]).toEqual([false, true])
})
