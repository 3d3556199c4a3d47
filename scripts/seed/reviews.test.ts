import { expect, test } from 'vitest'
import { goods } from './goods.ts'
import { DEMO_AGE, sampleReviews } from './reviews.ts'

const now = Date.UTC(2026, 10, 21)
const samples = sampleReviews(goods, now)

test('the demo store has 124 sample reviews: 103 of five stars, 17 of four and 4 of three', () => {
  const count = (wanted: number) => samples.filter(({ stars }) => stars === wanted).length
  expect([samples.length, count(5), count(4), count(3)]).toEqual([124, 103, 17, 4])
})

test('they are of goods in the store, younger than it, and nobody says the same of one good twice', () => {
  const ids = new Set(goods.map(({ id }) => id))
  const said = samples.filter(({ text }) => text).map(({ productId, text }) => `${productId} ${text}`)
  expect(new Set(said).size).toBe(said.length)
  for (const { productId, createdAt } of samples) {
    expect(ids).toContain(productId)
    expect(now - createdAt.getTime()).toBeGreaterThan(0)
    expect(now - createdAt.getTime()).toBeLessThan(DEMO_AGE * 24 * 60 * 60 * 1000)
  }
  expect(sampleReviews(goods, now)).toEqual(samples)
})
