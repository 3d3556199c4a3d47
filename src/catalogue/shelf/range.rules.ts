import { FREE } from '../catalogue.contract.ts'

/** Converts '10-25' to [1000, 2499] and '10-25.01' to [1000, 2500], so that each price is in one range. */
export function centsOf(range: string): [from: number, to: number] {
  if (range === FREE) return [0, 0]
  const [from, to] = range.split('-')
  return [inCents(from!), to ? inCents(to) - 1 : Infinity]
}

const inCents = (dollars: string) => Math.round(Number(dollars) * 100)
