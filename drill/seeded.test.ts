import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plant, runSeeded, SEEDED } from './seeded.ts'

// `npm run drill -- seeded` plants all defects. These tests plant one, and check that the others can be planted.

test('each of the twelve defects can be planted and has a test', () => {
  expect(new Set(SEEDED.map(({ defect }) => defect)).size).toBe(12)
  for (const one of SEEDED) {
    expect(plant(one)).not.toBe(readFileSync(join(import.meta.dirname, '..', one.file), 'utf8'))
    expect(readFileSync(join(import.meta.dirname, '..', one.test), 'utf8'), one.test).toContain(one.name)
  }
})

test('a test fails when a defect is planted', async () => {
  const float = SEEDED.find(({ defect }) => defect === 'float money')!
  expect(await runSeeded([float])).toEqual({ caught: 1, wrong: [] })
})
