import { expect, test } from 'vitest'
import { isWrong, runDatabaseStops, slowest } from './database.ts'
import { openServer } from './postgres.ts'

test('survives database stops under load, answers 503 at once and recovers', async () => {
  const server = await openServer({ fsync: 'off', shared_buffers: '32MB' })
  try {
    const result = await runDatabaseStops(server, {
      stops: ['immediate', 'fast', 'immediate'],
      shoppers: 8,
      awayMs: 1500,
    })
    for (const { meanwhile, isAlive, usualMs, backAfterMs } of result.rounds) {
      expect(isAlive).toBe(true)
      expect(meanwhile.length).toBeGreaterThan(4)
      expect(meanwhile.filter(isWrong)).toEqual([])
      // Relative to a usual answer, because everything takes longer on a busy machine.
      expect(slowest(meanwhile)).toBeLessThan(3500 + 10 * usualMs)
      expect(backAfterMs).toBeLessThan(2000 + 10 * usualMs)
    }
    expect(result.isRunning).toBe(true)
    expect(result.errors).toEqual([])
    expect(result.stale).toEqual([])
    expect(result.isNodeKnown).toBe(true)
    expect(result.violations, `seed ${result.seed}`).toEqual([])
    expect(result.kept + result.orders.covered).toBe(result.orders.completed)
    expect(result.orders.completed).toBeGreaterThan(0)
    expect(result.exitCode).toBe(0)
  } finally {
    await server.remove()
  }
}, 300_000)
