import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { runNodes } from './nodes.ts'
import { DRILL_PROVIDERS } from './provider.ts'

test('violates no invariant on two nodes with wrong clocks while buyers pay in two tabs', async () => {
  const { url, drop } = await createTestDatabase()
  const round = { shoppers: 10, seconds: 4, minutesOff: 10, provider: DRILL_PROVIDERS.stripe }
  const result = await runNodes(url, round)
  expect(result.violations, `seed ${result.seed}`).toEqual([])
  expect(result.errors).toEqual([])
  expect(result.kept + result.orders.covered).toBe(result.orders.completed)
  expect(result.kills).toBeGreaterThan(0)
  await drop()
}, 120_000)
