import { expect, test } from 'vitest'
import { busyShare, runCluster, wrongOf } from './cluster.ts'
import { missingPrograms } from './proxies.ts'

test.skipIf(missingPrograms().length > 0)(
  'loses no order behind nginx and HAProxy while nodes are killed and restarted and the database fails over',
  async () => {
    const result = await runCluster({ kills: 1, restarts: 1, shoppers: 6, readers: 3 })
    expect(result.violations, `seed ${result.seed}`).toEqual([])
    expect(result.errors).toEqual([])
    expect(result.exits).toEqual([0, 0])
    expect(Object.values(result.tallies).flatMap(wrongOf)).toEqual([])
    expect(result.told).toBeGreaterThan(5)
    // a busy machine needs longer; the full drill tells the share
    for (const tally of Object.values(result.tallies)) expect(busyShare(tally)).toBeLessThan(0.2)
  },
  180_000,
)
