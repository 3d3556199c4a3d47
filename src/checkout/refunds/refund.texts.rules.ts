import { readPrice } from '../../catalogue/price.rules.ts'
import { TOTAL, toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { methodLabel } from '../../payments/methods.ts'
import type { RefundOffer } from './refund.contract.ts'
import { effectOf } from './refund.rules.ts'

// What staff read before a refund: pure, from the shop's offer and the typed amount.

/** Cents of a typed amount, with a point or a comma; or what is wrong with it. */
export function readAmount(typed: string, leftCents: number): number | { problem: string } {
  const text = readPrice(typed)
  if (!TOTAL.test(text)) return { problem: 'Type dollars and cents, such as 2.50.' }
  const cents = toCents(text)
  if (cents === 0) return { problem: 'Type more than nothing.' }
  return cents > leftCents ? { problem: `At most ${usd(leftCents)} can be given back.` } : cents
}

function termsOf(offer: RefundOffer) {
  const [paidCents, leftCents, creditCents, bonusCents] = [offer.paid, offer.left, offer.credit, offer.bonus].map(
    toCents,
  ) as [number, number, number, number]
  const isCredit = offer.to === CREDIT
  return { paidCents, leftCents, creditCents, bonusCents, isCredit, isUnused: offer.isUnused }
}

/** True when another member of staff has to approve a refund of this amount. */
export function needsApproval(offer: RefundOffer, amountCents: number): boolean {
  const terms = termsOf(offer)
  const creditCents = terms.isCredit ? 0 : effectOf(terms, amountCents).creditCents
  const allCents = terms.paidCents - terms.leftCents + amountCents + creditCents
  return offer.approvalAbove !== null && allCents > toCents(offer.approvalAbove)
}

/** Every effect of a refund, a sentence each. */
export function describeRefund(offer: RefundOffer, amountCents: number): string[] {
  const terms = termsOf(offer)
  const { leftCents, creditCents, isCredit } = terms
  const effect = effectOf(terms, amountCents)
  const { isErased } = offer
  const told = `${isErased ? 'The buyer’s account is erased: nobody is told.' : 'The buyer is told by mail.'} It cannot be undone.`
  const erased = 'the erased account, which nobody can open.'
  const to = `${methodLabel(offer.to)}${offer.isSandbox ? ' (sandbox, no real money)' : ''}`
  const approval = needsApproval(offer, amountCents)
    ? [
        `Another member of staff has to approve it first: all refunds of the payment exceed ${usd(toCents(offer.approvalAbove!))}.`,
      ]
    : []
  if (offer.isUnused)
    return [
      ...approval,
      `All of a payment that never became goods goes back through ${to}, in the currency it came in.`,
      told,
    ]
  return [
    ...approval,
    isCredit
      ? `${usd(effect.creditCents)} becomes ${isErased ? `store credit of ${erased}` : 'the buyer’s store credit again.'}`
      : `${usd(effect.moneyCents)} goes back through ${to} to where it came from.`,
    ...(effect.creditCents > 0 && !isCredit
      ? [
          `${usd(effect.creditCents)} of store credit, which paid the rest, ${isErased ? `goes to ${erased}` : 'is the buyer’s again.'}`,
        ]
      : []),
    ...(creditCents > 0 && !effect.isWhole
      ? [`The ${usd(creditCents)} that store credit paid comes back with the last of the money, not now.`]
      : []),
    effect.isWhole
      ? 'The order ends as refunded: its files and codes can no longer be opened, and reviews of it are hidden.'
      : `The buyer keeps what was bought. ${usd(leftCents - amountCents)} can still be given back later.`,
    ...(effect.bonusCents > 0
      ? [`${usd(effect.bonusCents)} of the first-purchase bonus is taken back, also when it is spent already.`]
      : []),
    'The sellers return their part of it, and the shop its fee.',
    told,
  ]
}
