// Lines that a buyer can refund without staff. The page shows the result; the server applies it under the lock.

export const MAX_SELF_REFUNDS = 5

export type SelfFacts = {
  /** SELF_REFUND_DAYS. 0 disables it. */
  days: number
  /** Age of the completed order, by the database's clock. */
  ageDays: number
  /** Copies that are not refunded. `unopened` of them are neither opened nor claimed as a gift. */
  copies: number
  unopened: number
  isUsed: boolean
  isUntouched: boolean
  isDeclined: boolean
  /** The buyer also sold the product. */
  isOwn: boolean
  /** Number of the buyer's self-service refunds in 30 days. */
  recent: number
  /** Risk blocks the buyer's payments, or the shop lost a dispute of the buyer within a year. */
  isDoubtful: boolean
  /** The refund needs approval by two members of staff. */
  isLarge: boolean
}

export type WhyNot = 'off' | 'late' | 'used' | 'claimed' | 'often' | 'look' | null

export function whyNotNow(facts: SelfFacts): WhyNot {
  if (facts.days === 0) return 'off'
  const opened = facts.unopened >= facts.copies ? null : facts.isUsed ? 'used' : 'claimed'
  if (opened && facts.unopened === 0) return opened
  if (facts.ageDays > facts.days) return 'late'
  if (facts.recent >= MAX_SELF_REFUNDS) return 'often'
  const isPlain = facts.isUntouched && !facts.isDeclined && !facts.isOwn && !facts.isDoubtful && !facts.isLarge
  return isPlain ? opened : 'look'
}

export const atOnceOf = (facts: SelfFacts): number => {
  const why = whyNotNow(facts)
  return why === null || why === 'used' || why === 'claimed' ? facts.unopened : 0
}

/** Text for the legal page and the help article. Empty if self-service refunds are disabled. */
export const selfRefundPromise = (days: number): string =>
  days === 0
    ? ''
    : `For ${days} days you can refund what you have not downloaded or revealed yourself: choose it on the order, and the money goes back at once. ` +
      'A gift that was claimed counts as opened. ' +
      `At most ${MAX_SELF_REFUNDS} such refunds in 30 days; beyond that a person looks at it first.`

export const describeWhyNot = (why: Exclude<WhyNot, null>, days: number): string =>
  ({
    off: 'We look at it first.',
    used: 'You have opened it, so we look at it first.',
    claimed: 'Your gift of it was claimed, so we look at it first.',
    late: `You bought it more than ${days} days ago, so we look at it first.`,
    often: 'You have returned several purchases in the last 30 days, so we look at it first.',
    look: 'We look at this one first.',
  })[why]
