import { expect, test } from 'vitest'
import { achievementsOf } from './achievements.rules.ts'

const joined = '2026-01-01T00:00:00Z'
const won = (bought: number, now: string) =>
  achievementsOf(bought, joined, Date.parse(now))
    .filter(({ isWon }) => isWon)
    .map(({ name }) => name)

test('awards nothing to a new account', () => {
  expect(won(0, '2026-02-01')).toEqual([])
})

test('awards the first and tenth completed order and the first year', () => {
  expect(won(1, '2026-02-01')).toEqual(['First order'])
  expect(won(10, '2027-01-01')).toEqual(['First order', 'Ten orders', 'One year'])
})
