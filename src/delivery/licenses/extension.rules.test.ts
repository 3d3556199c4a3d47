import { expect, test } from 'vitest'
import { endOfDay, isSameExtent, problemOfExtension } from './extension.rules.ts'

const NOW = new Date('2026-11-27T12:00:00Z')
const KEY = { expiresAt: endOfDay('2026-12-01'), devicesPerSeat: 3 }

test.each([
  ['a later day', { expiresAt: endOfDay('2027-12-01'), devicesPerSeat: 3 }, null],
  ['no end', { expiresAt: null, devicesPerSeat: 3 }, null],
  ['more devices', { ...KEY, devicesPerSeat: 4 }, null],
  ['fewer devices', { ...KEY, devicesPerSeat: 2 }, 'can’t lose devices'],
  ['an earlier day', { expiresAt: endOfDay('2026-11-30'), devicesPerSeat: 3 }, 'works longer already'],
])('a key gets %s only if that is more', (_, next, problem) => {
  const found = problemOfExtension(KEY, next, NOW)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toContain(problem)
})

test('an expired key needs a day that is not over, and one without an end keeps none', () => {
  const expired = { expiresAt: endOfDay('2026-01-01'), devicesPerSeat: 1 }
  expect(problemOfExtension(expired, { ...expired, expiresAt: endOfDay('2026-11-26') }, NOW)).toContain('not over')
  expect(problemOfExtension(expired, { ...expired, expiresAt: endOfDay('2026-11-27') }, NOW)).toBeNull()
  expect(problemOfExtension({ ...expired, expiresAt: null }, expired, NOW)).toContain('does not end')
})

test('the end of a day is its last second in UTC', () => {
  expect(endOfDay('2026-11-27').toISOString()).toBe('2026-11-27T23:59:59.000Z')
  expect(isSameExtent(KEY, { ...KEY, expiresAt: endOfDay('2026-12-01') })).toBe(true)
  expect(isSameExtent(KEY, { ...KEY, expiresAt: null })).toBe(false)
})
