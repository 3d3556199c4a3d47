import { expect, test } from 'vitest'
import { fail } from '../../kit/health/finding.rules.ts'
import { createMetrics } from './metrics.registry.server.ts'

test('returns metrics without waiting for an unresponsive database, and queries it once at a time', async () => {
  let asked = 0
  const query = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  const probes = { look: async () => [fail('database', 'does not answer', 'start it')] }
  const metrics = await createMetrics({ pool: { query } as never, probes, patienceMs: 20 })
  const texts = await Promise.all([metrics.read(), metrics.read()])
  expect(texts[1]).toContain('primo_part_up{part="database"} 0')
  await metrics.read()
  expect(asked).toBe(1)
})
