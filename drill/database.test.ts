import { expect, test } from 'vitest'
import { isWrong, runDatabaseStops, slowest } from './database.ts'
import { openServer } from './serverOfOwn.ts'

test('the database stops under load: the shop stays, says so at once, and works again when it is back', async () => {
  const server = await openServer({ fsync: 'off', shared_buffers: '32MB' })
  try {
    const told = await runDatabaseStops(server, {
      stops: ['immediate', 'fast', 'immediate'],
      shoppers: 8,
      awayMs: 1500,
    })
    for (const { meanwhile, isAlive, usualMs, backAfterMs } of told.rounds) {
      expect(isAlive).toBe(true)
      expect(meanwhile.length).toBeGreaterThan(4)
      expect(meanwhile.filter(isWrong)).toEqual([])
      // on a busy machine everything takes longer, a usual answer as well
      expect(slowest(meanwhile)).toBeLessThan(3500 + 10 * usualMs)
      expect(backAfterMs).toBeLessThan(2000 + 10 * usualMs)
    }
    expect(told.isRunning).toBe(true)
    expect(told.errors).toEqual([])
    expect(told.stale).toEqual([])
    expect(told.isNodeKnown).toBe(true)
    expect(told.violations, `seed ${told.seed}`).toEqual([])
    expect(told.kept + told.orders.covered).toBe(told.orders.completed)
    expect(told.orders.completed).toBeGreaterThan(0)
    expect(told.exitCode).toBe(0)
  } finally {
    await server.remove()
  }
}, 300_000)
