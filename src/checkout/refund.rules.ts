export type Share = { sellerId: string; cents: number }

/** Divides a refund over the sellers in proportion to what each was owed; the cents always add up to the refund. */
export function shareOf(amountCents: number, owed: Share[]): Share[] {
  const sums = new Map<string, number>()
  for (const { sellerId, cents } of owed) sums.set(sellerId, (sums.get(sellerId) ?? 0) + cents)
  let leftCents = amountCents
  let leftOwed = [...sums.values()].reduce((sum, cents) => sum + cents, 0)
  const shares: Share[] = []
  for (const [sellerId, cents] of sums) {
    const share = Number((BigInt(leftCents) * BigInt(cents)) / BigInt(leftOwed))
    shares.push({ sellerId, cents: share })
    leftCents -= share
    leftOwed -= cents
  }
  return shares.filter(({ cents }) => cents !== 0)
}

/** What each seller gives back by the next refund, when `beforeCents` have gone back already: never more than was owed. */
export function nextShares(beforeCents: number, amountCents: number, owed: Share[]): Share[] {
  const before = new Map(
    beforeCents === 0 ? [] : shareOf(beforeCents, owed).map(({ sellerId, cents }) => [sellerId, cents]),
  )
  return shareOf(beforeCents + amountCents, owed)
    .map(({ sellerId, cents }) => ({ sellerId, cents: cents - (before.get(sellerId) ?? 0) }))
    .filter(({ cents }) => cents !== 0)
}
