/** A stamp. `mark` is its SVG path in a square of 64, `turn` its rotation in degrees. */
type Achievement = { name: string; isWon: boolean; mark: string; turn: number }

const YEAR = 365 * 24 * 3_600_000

export function achievementsOf(bought: number, joinedAt: string, now: number): Achievement[] {
  return [
    { name: 'First order', isWon: bought >= 1, mark: 'M24 33l6 6 11-13', turn: -9 },
    {
      name: 'Ten orders',
      isWon: bought >= 10,
      mark: 'M23 27v12M23 27l-3 2M34 27h4a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-4a3 3 0 0 1-3-3v-6a3 3 0 0 1 3-3z',
      turn: 7,
    },
    {
      name: 'One year',
      isWon: now - Date.parse(joinedAt) >= YEAR,
      mark: 'M22 24h20v18H22zM22 30h20M27 21v5M37 21v5',
      turn: -5,
    },
  ]
}
