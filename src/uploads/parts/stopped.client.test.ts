import { beforeEach, expect, test, vi } from 'vitest'
import { findStopped, uploaderId } from './stopped.client.ts'

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
})
const id = uploaderId('Digital files', 'ada')
const HOUR_MS = 3_600_000
const store = (progress: object, expires = Date.now() + HOUR_MS) =>
  stored.set(
    `uppyState:${id}`,
    JSON.stringify({ metadata: { files: { a: { name: 'trains.zip', progress } } }, expires }),
  )

test('finds a stopped upload and its progress', () => {
  store({ uploadStarted: 1, uploadComplete: false, bytesUploaded: 27_900, bytesTotal: 100_000 })
  expect(findStopped(id)).toEqual({ name: 'trains.zip', percent: 27 })
  expect(findStopped(uploaderId('Digital files', 'eve'))).toBeNull()
})

test.each([
  ['was only chosen', { uploadStarted: null, bytesUploaded: 0, bytesTotal: 100 }, HOUR_MS],
  ['failed before its first byte', { uploadStarted: 1, bytesUploaded: 0, bytesTotal: 100 }, HOUR_MS],
  ['is complete', { uploadStarted: 1, uploadComplete: true, bytesUploaded: 100, bytesTotal: 100 }, HOUR_MS],
  ['has expired', { uploadStarted: 1, bytesUploaded: 27, bytesTotal: 100 }, -HOUR_MS],
])('ignores an upload that %s', (_, progress, ms) => {
  store(progress, Date.now() + ms)
  expect(findStopped(id)).toBeNull()
})

test('returns null without browser storage or with data of another version', () => {
  stored.set(`uppyState:${id}`, '{')
  expect(findStopped(id)).toBeNull()
  vi.stubGlobal('localStorage', undefined)
  expect(findStopped(id)).toBeNull()
})
