import { CURRENCIES, isPlausible } from './currencies.rules.ts'

type RatesByCode = Record<string, number>

export type KeptRates = { rates: RatesByCode; readAt: Record<string, string> }

const MAX_STEP = 0.5
export const OLDEST_MS = 7 * 86_400_000

/** Returns the rates that are not older than seven days, and the dollar. */
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
 * Merges the rates of a response into the stored rates. A rate must be plausible and close to its last value; otherwise
 * the last value and its time stay. Throws if the response contains no usable rate.
 */
export function renewRates(answer: unknown, kept: KeptRates, now: Date): KeptRates {
  const given = (answer as { rates?: unknown } | null)?.rates
  if (typeof given !== 'object' || given === null) throw new Error('the answer holds no rates')
  const last = usableRates(kept, now)
  const isSound = (code: string): boolean => {
    const rate = (given as Record<string, unknown>)[code]
    if (typeof rate !== 'number' || !isPlausible(code, rate)) return false
    const before = last.rates[code]
    return before === undefined || Math.abs(rate / before - 1) <= MAX_STEP
  }
  const sound = CURRENCIES.filter((code) => code !== 'USD' && isSound(code))
  if (sound.length === 0) throw new Error('the answer holds no usable rate')
  const at = now.toISOString()
  return {
    rates: { ...last.rates, ...Object.fromEntries(sound.map((code) => [code, (given as RatesByCode)[code]!])) },
    readAt: { ...last.readAt, ...Object.fromEntries(sound.map((code) => [code, at])) },
  }
}
