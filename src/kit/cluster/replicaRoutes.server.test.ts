import { expect, test } from 'vitest'
import { createSeenCookie, positionAfter } from './replicaRoutes.server.ts'

test.each([
  [200, 'asked'],
  [204, 'asked'],
  [303, 'asked'],
  [400, 'asked'],
  [404, 'asked'],
  [409, 'asked'],
  [500, 'asked'],
  [401, 'none'],
  [403, 'none'],
  [405, 'none'],
  [413, 'none'],
  [415, 'none'],
  [421, 'none'],
  [429, 'none'],
  [503, 'unknown'],
])('a write with status %i leaves the position of the primary %s', (status, expected) => {
  expect(positionAfter(status)).toBe(expected)
})

test('queries the position of the primary only if the request may have written', async () => {
  const seen = createSeenCookie({ isTls: true, mostSeconds: 5 })
  let asked = 0
  const position = async () => ++asked
  expect(await seen.after(403, position)).toBeNull()
  expect(await seen.after(503, position)).toMatch(/^__Host-primo-seen=unknown; /)
  expect(asked).toBe(0)
  expect(await seen.after(200, position)).toMatch(/^__Host-primo-seen=1; /)
  expect(await seen.after(200, () => Promise.reject(new Error('away')))).toMatch(/^__Host-primo-seen=unknown; /)
})
