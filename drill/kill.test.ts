import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { killAt, runKills } from './kill.ts'
import { PRICE_CENTS, STEPS } from './steps.ts'
import { openWorld, type World } from './world.ts'

let world: World
let productId = ''
let drop = async () => {}

beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  world = await openWorld(database.url)
  productId = await world.offer({ priceCents: PRICE_CENTS })
  await world.start()
})
afterAll(async () => {
  await world.close()
  await drop()
})

test.each(STEPS)(
  'loses and duplicates nothing when killed $name',
  async (step) => {
    const result = await killAt(world, step, productId)
    const captured = (status: string | null) => (status === 'failed' ? 0 : 1)
    expect(result.violations).toEqual([])
    expect(result.back).toEqual([`${step.ends.back}, captured ${captured(step.ends.back)}`])
    expect(result.away).toEqual(step.ends.away ? [`${step.ends.away}, captured ${captured(step.ends.away)}`] : [])
  },
  60_000,
)

test('violates no invariant when killed four times at random under twenty shoppers', async () => {
  const { url, drop: dropRandom } = await createTestDatabase()
  const result = await runKills(url, { kills: 4, shoppers: 20 })
  expect(result.violations, `seed ${result.seed}`).toEqual([])
  expect(result.errors).toEqual([])
  expect(result.killsWhilePending).toBeGreaterThan(1)
  expect(result.kept + result.orders.covered).toBe(result.orders.completed)
  expect(result.acknowledged).toBeGreaterThan(0)
  await dropRandom()
}, 120_000)
