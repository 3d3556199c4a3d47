import { expect, test } from 'vitest'
import { createLimiter, networkOf } from './limit.server.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (ip, network) => expect(networkOf(ip)).toBe(network))

test('spends a budget, refills it over time and returns the seconds to wait', () => {
  let now = 0
  const { take } = createLimiter({ now: () => now })
  const limit = { per: 'address', count: 3, seconds: 30 } as const
  expect([take('a', limit), take('a', limit), take('a', limit)]).toEqual([0, 0, 0])
  expect(take('a', limit)).toBe(10)
  expect(take('b', limit)).toBe(0)
  now += 10_000
  expect(take('a', limit)).toBe(0)
  expect(take('a', limit)).toBe(10)
})

test('retains a spent budget when a caller floods the limiter with new keys', () => {
  let now = 0
  const { take } = createLimiter({ now: () => now, most: 100 })
  const guesses = { per: 'account', count: 5, seconds: 900 } as const
  for (let i = 0; i < 5; i++) expect(take('guessed', guesses)).toBe(0)
  for (let i = 0; i < 5000; i++) {
    take(`name ${i}`, { per: 'address', count: 120, seconds: 60 })
    now += 1
  }
  expect(take('guessed', guesses)).toBeGreaterThan(100)
  // other spent budgets evict each other, not the budget that refills last
  for (let i = 0; i < 300; i++) take(`other ${i}`, { per: 'address', count: 5, seconds: 300 })
  expect(take('guessed', guesses)).toBeGreaterThan(100)
})
