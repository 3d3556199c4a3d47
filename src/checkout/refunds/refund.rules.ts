import { takenBackCents } from '../../payments/credit.rules.ts'

// What a refund does, for the till that does it and for the page that says so before. Pure; cents.

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

export type RefundTerms = {
  /** What was captured, and what of it is neither given back nor on its way. */
  paidCents: number
  leftCents: number
  /** The part of the order that store credit paid beside the money. */
  creditCents: number
  /** Store credit paid all of it. */
  isCredit: boolean
  /** Captured money that never became goods: it goes back whole, and nothing else moves. */
  isUnused: boolean
  /** What the order earned as a first purchase. */
  bonusCents: number
}

/** `isWhole`: with it everything is given back, so that access ends. */
export type RefundEffect = { moneyCents: number; creditCents: number; bonusCents: number; isWhole: boolean }

/** What giving back so much does: money to the provider, credit to the buyer, the bonus's share from them. */
export function effectOf(terms: RefundTerms, amountCents: number): RefundEffect {
  const { paidCents, leftCents, isCredit, isUnused } = terms
  const isWhole = amountCents >= leftCents
  if (isUnused) return { moneyCents: amountCents, creditCents: 0, bonusCents: 0, isWhole }
  if (isCredit) return { moneyCents: 0, creditCents: amountCents, bonusCents: 0, isWhole }
  const before = paidCents - leftCents
  const taken = (backCents: number) => takenBackCents(terms.bonusCents, backCents, paidCents)
  return {
    moneyCents: amountCents,
    creditCents: isWhole ? terms.creditCents : 0,
    bonusCents: taken(before + amountCents) - taken(before),
    isWhole,
  }
}

/** Nobody refused it: its request never arrived, which was found out too late to send it again. */
export const NEVER_MADE = 'NEVER_MADE'

const REFUSALS: Record<string, string> = {
  [NEVER_MADE]: 'The request never reached the payment provider, and nothing went back. Ask for it anew.',
  CAPTURE_FULLY_REFUNDED: 'All of it was given back already, at the provider’s own desk.',
  REFUND_AMOUNT_EXCEEDED: 'Less than that is left: some was given back at the provider’s own desk.',
  REFUND_TIME_LIMIT_EXCEEDED: 'The payment is too old to be given back there. Agree on another way with the buyer.',
  REFUND_TIME_EXCEEDED_FOR_PAYMENT_SOURCE:
    'The payment is too old for what it was paid with. Agree on another way with the buyer.',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'The shop’s account there does not hold enough. Fill it, then try again.',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'It takes no more refunds of this payment. Ask the provider.',
  REFUND_NOT_ALLOWED: 'It does not allow a refund of this payment. Ask the provider.',
}

/** Why the provider refused a refund, in a sentence; null is a refusal from before its word was kept. */
export const describeRefusal = (issue: string | null): string =>
  issue === null ? 'It did not say why.' : (REFUSALS[issue] ?? `Its word for why: ${issue}.`)

/** What staff read of a refund that did not come about; `sum` is its amount as they know it. */
export const describeFailure = (sum: string, issue: string | null): string =>
  `${issue === NEVER_MADE ? `${sum} was not given back.` : `The payment provider refused to give ${sum} back.`} ${describeRefusal(issue)}`
