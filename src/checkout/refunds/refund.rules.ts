import { takenBackCents } from '../../payments/credit.rules.ts'

// What a refund does, for the job that books it and the page that announces it. Pure; cents.

export type RefundTerms = {
  /** What was captured, and what of it is neither refunded nor requested. */
  paidCents: number
  leftCents: number
  /** The part of the order that store credit paid. */
  creditCents: number
  /** Store credit paid all of it. */
  isCredit: boolean
  /** The money bought no goods: it goes back whole, and nothing else moves. */
  isUnused: boolean
  /** What the order earned as a first purchase. */
  bonusCents: number
}

/** `isWhole`: everything is refunded, so access ends. */
export type RefundEffect = { moneyCents: number; creditCents: number; bonusCents: number; isWhole: boolean }

/** The effect of a refund: money to the provider, credit to the buyer, their share of the bonus back. */
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
