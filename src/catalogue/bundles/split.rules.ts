export const FEWEST_PARTS = 2
export const MAX_PARTS = 20

export type Part = { id: string; listCents: number }

/**
 * Divides the price by largest remainder over the list prices, so that the cents add up. A part that costs something keeps a
 * cent at least, because codes and keys need a payment. The shares stand in the order of the parts, but do not depend on it.
 */
export function splitPrice(priceCents: number, parts: Part[]): number[] {
  const isPriced = parts.some(({ listCents }) => listCents > 0)
  // parts that have all become free share alike
  const weights = parts.map(({ listCents }) => (isPriced ? listCents : 1))
  const paid = weights.filter((weight) => weight > 0).length
  if (priceCents < paid) throw new RangeError('a bundle costs a cent for each part at least')
  // beyond the exact numbers of JavaScript
  const [all, shared] = [BigInt(sum(weights)), weights.map((weight) => BigInt(weight) * BigInt(priceCents))]
  const shares = shared.map((one) => Number(one / all))
  const shareOf = (i: number) => shares[i] ?? 0
  const byRest = parts
    .map(({ id }, i) => ({ i, id, rest: (shared[i] ?? 0n) % all }))
    .sort((a, b) => (a.rest === b.rest ? (a.id < b.id ? -1 : 1) : a.rest < b.rest ? 1 : -1))
  for (const { i } of byRest.slice(0, priceCents - sum(shares))) shares[i] = shareOf(i) + 1
  // the largest shares give the cents of parts that would get none
  const byId = byRest.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { i } of byId.filter((part) => (weights[part.i] ?? 0) > 0 && shares[part.i] === 0)) {
    const largest = byId.reduce((best, part) => (shareOf(part.i) > shareOf(best.i) ? part : best))
    shares[largest.i] = shareOf(largest.i) - 1
    shares[i] = 1
  }
  return shares
}

const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0)
