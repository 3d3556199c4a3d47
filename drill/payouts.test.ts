import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { runPayouts } from './payouts.ts'

test('pays each seller of a batch once when the shop is killed at every step', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { kills, wrong } = await runPayouts(url, { sellers: 40 })
  expect(wrong).toEqual([])
  expect(kills).toHaveLength(6)
}, 120_000)
