import { takenBackCents } from '../../payments/credit.rules.ts'

export type RefundTerms = {
  /** The captured amount, and the part that is neither refunded nor requested. */
  paidCents: number
  leftCents: number
  creditCents: number
  isCredit: boolean
  isUnused: boolean
  bonusCents: number
}

export type RefundEffect = { moneyCents: number; creditCents: number; bonusCents: number; isWhole: boolean }

/**
 * Effects of a refund: money to the provider, credit to the buyer, and their share of the bonus back. A refund of a
 * part of the order returns credit only with the last of the money. A refund of lines (`isByLine`) returns their price,
 * and credit for the part that the money does not cover.
 */
export function effectOf(terms: RefundTerms, amountCents: number, isByLine = false): RefundEffect {
  const { paidCents, leftCents, isCredit, isUnused } = terms
  if (isUnused) return { moneyCents: amountCents, creditCents: 0, bonusCents: 0, isWhole: amountCents >= leftCents }
  if (isCredit) return { moneyCents: 0, creditCents: amountCents, bonusCents: 0, isWhole: amountCents >= leftCents }
  const before = paidCents - leftCents
  const taken = (backCents: number) => takenBackCents(terms.bonusCents, backCents, paidCents)
  const moneyCents = isByLine ? Math.min(amountCents, leftCents) : amountCents
  const isMoneyBack = moneyCents >= leftCents
  const ownCents = isByLine ? amountCents - moneyCents : terms.creditCents
  const creditCents = isMoneyBack ? Math.min(terms.creditCents, ownCents) : 0
  return {
    moneyCents,
    creditCents,
    bonusCents: taken(before + moneyCents) - taken(before),
    isWhole: isMoneyBack && creditCents >= terms.creditCents,
  }
}

/** A refund of an amount covers all requests if it returns the rest of the order, or if the order has one paid line. */
export const answersRequests = (isWhole: boolean, paidLines: number): boolean => isWhole || paidLines === 1

export const restOf = ({ leftCents, creditCents, isCredit, isUnused }: RefundTerms): number =>
  leftCents + (isCredit || isUnused ? 0 : creditCents)
