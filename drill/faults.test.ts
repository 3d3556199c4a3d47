import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { runFaults } from './faults.ts'

test('200 buyers at once and a provider that fails at every third call: what was taken is delivered or given back', async () => {
  const { url, drop } = await createTestDatabase()
  const told = await runFaults(url, { buyers: 200, rate: 0.3, latencyMs: 300 })
  expect(told.violations, `seed ${told.seed}`).toEqual([])
  expect(told.errors).toEqual([])
  expect(told.kept + told.orders.covered).toBe(told.orders.completed)
  expect(told.orders.completed).toBeGreaterThan(40)
  expect(told.captures).toBeGreaterThan(told.kept)
  expect(told.exitCode).toBe(0)
  await drop()
}, 120_000)
