import { FREE } from '../catalogue.contract.ts'

/** '10-25' -> [1000, 2499], so that each price is in one range; without an end it has no limit. */
export function centsOf(range: string): [from: number, to: number] {
  if (range === FREE) return [0, 0]
  const [from, to] = range.split('-')
  return [Number(from) * 100, to ? Number(to) * 100 - 1 : Infinity]
}
