export const FEWEST_PARTS = 2
export const MAX_PARTS = 20

export type Part = { id: string; listCents: number }

/**
 * Splits the price over the list prices by largest remainder, so that the cents sum up. A paid part gets at least a
 * cent, because codes and keys need a payment. The result does not depend on the order of the parts.
 */
export function splitPrice(priceCents: number, parts: Part[]): number[] {
  const isPriced = parts.some(({ listCents }) => listCents > 0)
  // if all parts have become free, they get equal shares
  const weights = parts.map(({ listCents }) => (isPriced ? listCents : 1))
  const paid = weights.filter((weight) => weight > 0).length
  if (priceCents < paid) throw new RangeError('a bundle costs a cent for each part at least')
  // BigInt, because the products can exceed the safe integers
  const [all, shared] = [BigInt(sum(weights)), weights.map((weight) => BigInt(weight) * BigInt(priceCents))]
  const shares = shared.map((one) => Number(one / all))
  const shareOf = (i: number) => shares[i] ?? 0
  const byRest = parts
    .map(({ id }, i) => ({ i, id, rest: (shared[i] ?? 0n) % all }))
    .sort((a, b) => (a.rest === b.rest ? (a.id < b.id ? -1 : 1) : a.rest < b.rest ? 1 : -1))
  for (const { i } of byRest.slice(0, priceCents - sum(shares))) shares[i] = shareOf(i) + 1
  // parts without a share get a cent from the largest shares
  const byId = byRest.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const { i } of byId.filter((part) => (weights[part.i] ?? 0) > 0 && shares[part.i] === 0)) {
    const largest = byId.reduce((best, part) => (shareOf(part.i) > shareOf(best.i) ? part : best))
    shares[largest.i] = shareOf(largest.i) - 1
    shares[i] = 1
  }
  return shares
}

const sum = (cents: number[]) => cents.reduce((all, one) => all + one, 0)
