import { expect, test } from 'vitest'
import { nearness, nearnessFrom, tuneTo } from './vector.rules.ts'

/** Returns two vectors with the cosine similarity `wanted`. */
function pairAt(wanted: number, seed: number) {
  let state = seed
  // generates normally distributed values from a seed
  const next = () => {
    let sum = 0
    for (let i = 0; i < 12; i++) sum += (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
    return sum - 6
  }
  const [one, noise] = [1, 2].map(() => Array.from({ length: 512 }, next)) as [number[], number[]]
  const other = one.map((value, i) => wanted * value + Math.sqrt(1 - wanted ** 2) * noise[i]!)
  return [tuneTo(one), tuneTo(other)] as const
}

test('compares signs first: computes the similarity of near vectors and skips distant vectors', () => {
  const seeds = Array.from({ length: 200 }, (_, i) => i * 7_919 + 1)
  const kept = (wanted: number) => seeds.filter((seed) => nearnessFrom(0.2, ...pairAt(wanted, seed)) > 0).length
  expect(kept(0.5)).toBe(200)
  expect(kept(0.4)).toBeGreaterThanOrEqual(198)
  expect(kept(0)).toBeLessThanOrEqual(4)
  const [one, other] = pairAt(0.6, 5)
  expect(nearnessFrom(0.2, one, other)).toBe(nearness(one, other))
  expect(nearnessFrom(0.2, one, one)).toBeCloseTo(1, 10)
  expect(nearness(one, tuneTo(Array.from({ length: 512 }, () => 0)))).toBe(0)
})
