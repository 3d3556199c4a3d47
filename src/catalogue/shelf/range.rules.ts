import { FREE } from '../catalogue.contract.ts'

/** '10-25' -> [1000, 2499], '10-25.01' -> [1000, 2500], so that each price is in one range. A range without an end has no limit. */
export function centsOf(range: string): [from: number, to: number] {
  if (range === FREE) return [0, 0]
  const [from, to] = range.split('-')
  return [inCents(from!), to ? inCents(to) - 1 : Infinity]
}

const inCents = (dollars: string) => Math.round(Number(dollars) * 100)
