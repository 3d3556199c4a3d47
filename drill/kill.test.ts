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
  'killed $name, the shop comes back with nothing lost or doubled',
  async (step) => {
    const told = await killAt(world, step, productId)
    const captured = (status: string) => (status === 'failed' ? 0 : 1)
    expect(told.violations).toEqual([])
    expect(told.back).toEqual([`${step.ends.back}, captured ${captured(step.ends.back)}`])
    expect(told.away).toEqual([`${step.ends.away}, captured ${captured(step.ends.away)}`])
  },
  60_000,
)

test('killed ten times at any moment under twenty shoppers, the shop keeps its word', async () => {
  const { url, drop: dropRandom } = await createTestDatabase()
  const told = await runKills(url, { kills: 10, shoppers: 20 })
  expect(told.violations, `seed ${told.seed}`).toEqual([])
  expect(told.errors).toEqual([])
  expect(told.killsWhilePending).toBeGreaterThan(6)
  expect(told.kept + told.orders.covered).toBe(told.orders.completed)
  expect(told.acknowledged).toBeGreaterThan(0)
  await dropRandom()
}, 120_000)
