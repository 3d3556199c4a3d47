import { CURRENCIES } from './currencies.rules.ts'

type RatesByCode = Record<string, number>

/** Rates by currency, and when each was read (ISO). */
export type KeptRates = { rates: RatesByCode; readAt: Record<string, string> }

const LARGEST_STEP = 0.5
export const OLDEST_MS = 7 * 86_400_000

/** What may still be shown: each rate for seven days after it was read, and the dollar always. */
export function usableRates({ rates, readAt }: KeptRates, now: Date): KeptRates {
  const codes = CURRENCIES.filter(
    (code) => code in rates && now.getTime() - Date.parse(readAt[code] ?? '') <= OLDEST_MS,
  )
  return {
    rates: { ...Object.fromEntries(codes.map((code) => [code, rates[code]!])), USD: 1 },
    readAt: Object.fromEntries(codes.map((code) => [code, readAt[code]!])),
  }
}

/**
 * The kept rates with those of our currencies in what a service answered: finite, positive and within half of what they
 * were. One that is not keeps its last value, and the age of that. Throws when the answer holds no usable rate at all.
 */
export function renewRates(answer: unknown, kept: KeptRates, now: Date): KeptRates {
  const given = (answer as { rates?: unknown } | null)?.rates
  if (typeof given !== 'object' || given === null) throw new Error('the answer holds no rates')
  const last = usableRates(kept, now)
  const isSound = (code: string): boolean => {
    const rate = (given as Record<string, unknown>)[code]
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) return false
    const before = last.rates[code]
    return before === undefined || Math.abs(rate / before - 1) <= LARGEST_STEP
  }
  const sound = CURRENCIES.filter((code) => code !== 'USD' && isSound(code))
  if (sound.length === 0) throw new Error('the answer holds no usable rate')
  const at = now.toISOString()
  return {
    rates: { ...last.rates, ...Object.fromEntries(sound.map((code) => [code, (given as RatesByCode)[code]!])) },
    readAt: { ...last.readAt, ...Object.fromEntries(sound.map((code) => [code, at])) },
  }
}
