import { expect, test, vi } from 'vitest'
import { createQueue, hashPassword, isPassword } from './passwordHash.server.ts'

test('hashes a password as argon2id with the advised cost and its own salt', async () => {
  // a fresh module, because test/cheapPasswords.ts lowers the cost in the shared one
  vi.resetModules()
  const fresh = await import('./passwordHash.server.ts')
  const one = await fresh.hashPassword('violet-harbour-71')
  const other = await fresh.hashPassword('violet-harbour-71')
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(other).not.toBe(one)
})

test('matches only the right password', async () => {
  const hash = await hashPassword('violet-harbour-71')
  expect(await isPassword('violet-harbour-71', hash)).toBe(true)
  expect(await isPassword('violet-harbour-72', hash)).toBe(false)
  expect(await isPassword('', hash)).toBe(false)
})

test('matches the same letter in another Unicode form', async () => {
  const hash = await hashPassword('caf\u00e9-au-lait')
  expect(await isPassword('cafe\u0301-au-lait', hash)).toBe(true)
})

test('matches a hash of the reference program with its own cost', async () => {
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await isPassword('password', hash)).toBe(true)
  expect(await isPassword('Password', hash)).toBe(false)
})

test.each([
  '',
  'plain text',
  '$2b$10$abcdefghijklmnopqrstuv',
  '$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAA',
])('a malformed hash matches nothing: %j', async (hash) => {
  expect(await isPassword('', hash)).toBe(false)
  expect(await isPassword('plain text', hash)).toBe(false)
})

test('hashes two passwords at once, queues more and rejects a flood', async () => {
  const inTurn = createQueue({ atOnce: 2, mostWaiting: 3 })
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running -= 1
  }
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => inTurn(work)))
  expect(most).toBe(2)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.status)).toEqual([503, 503, 503, 503])
  expect(refused[0]!.reason.retryAfter).toBeGreaterThan(0)
})

test('a failed task frees its slot', async () => {
  const inTurn = createQueue({ atOnce: 1, mostWaiting: 1 })
  const failing = inTurn(async () => {
    throw new Error('no memory')
  })
  const next = inTurn(async () => 'done')
  await expect(failing).rejects.toThrow('no memory')
  expect(await next).toBe('done')
  expect(await inTurn(async () => 'again')).toBe('again')
})
