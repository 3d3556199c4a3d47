import { expect, test } from 'vitest'
import { achievementsOf } from './achievements.rules.ts'

const joined = '2026-01-01T00:00:00Z'
const won = (statuses: ('pending' | 'completed' | 'refunded')[], now: string) =>
  achievementsOf(
    statuses.map((status) => ({ status })),
    joined,
    Date.parse(now),
  )
    .filter(({ isWon }) => isWon)
    .map(({ name }) => name)

test('a new account has earned nothing, and an order that is not completed earns nothing', () => {
  expect(won([], '2026-02-01')).toEqual([])
  expect(won(['pending', 'refunded'], '2026-02-01')).toEqual([])
})

test('the first and the tenth completed order and the first year are earned', () => {
  expect(won(['completed'], '2026-02-01')).toEqual(['First order'])
  expect(won(Array(10).fill('completed'), '2027-01-01')).toEqual(['First order', 'Ten orders', 'One year'])
})
