import { CURRENCIES } from './currencies.rules.ts'

type RatesByCode = Record<string, number>

const LARGEST_STEP = 0.5
const OLDEST_MS = 7 * 86_400_000

/**
 * The rates of our currencies in what a service answered: finite, positive and within half of what they were; one that is
 * not, keeps its last value. Throws when the answer holds no usable rate at all.
 */
export function checkRates(answer: unknown, last: RatesByCode): RatesByCode {
  const given = (answer as { rates?: unknown } | null)?.rates
  if (typeof given !== 'object' || given === null) throw new Error('the answer holds no rates')
  const isSound = (code: string): boolean => {
    const rate = (given as Record<string, unknown>)[code]
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) return false
    const before = last[code]
    return before === undefined || Math.abs(rate / before - 1) <= LARGEST_STEP
  }
  const sound = CURRENCIES.filter((code) => code !== 'USD' && isSound(code))
  if (sound.length === 0) throw new Error('the answer holds no usable rate')
  return { ...last, ...Object.fromEntries(sound.map((code) => [code, (given as RatesByCode)[code]!])), USD: 1 }
}

/** Whether rates of this age may still be shown. */
export const isUsable = (fetchedAt: Date, now: Date): boolean => now.getTime() - fetchedAt.getTime() <= OLDEST_MS
