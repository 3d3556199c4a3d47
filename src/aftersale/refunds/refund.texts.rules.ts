import { readPrice } from '../../catalogue/price.rules.ts'
import { TOTAL, toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { methodLabel } from '../../payments/methods.ts'
import { centsOfCopies } from '../../payments/refunds/returns.rules.ts'
import type { RefundOffer } from './refund.contract.ts'
import { answersRequests, effectOf } from './refund.rules.ts'

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

export type ChosenLine = { id: string; title: string; copies: number; cents: number; isLast: boolean }

export function chosenLines(offer: RefundOffer, copies: Record<string, number>): ChosenLine[] {
  return offer.lines.flatMap((line) => {
    const count = copies[line.id] ?? 0
    const [paid, left] = [toCents(line.paid), toCents(line.left)]
    const known = {
      grossCents: paid,
      returnedCents: paid - left,
      quantity: line.copies,
      returnedQuantity: line.returned,
    }
    const isLast = line.returned + count >= line.copies
    return count > 0
      ? [{ id: line.id, title: line.title, copies: count, cents: centsOfCopies(known, count), isLast }]
      : []
  })
}

export function needsApproval(offer: RefundOffer, amountCents: number, isByLine = false): boolean {
  const terms = termsOf(offer)
  const { moneyCents, creditCents } = effectOf(terms, amountCents, isByLine)
  const allCents = terms.paidCents - terms.leftCents + (terms.isCredit ? amountCents : moneyCents + creditCents)
  return offer.approvalAbove !== null && allCents > toCents(offer.approvalAbove)
}

const titlesOf = (lines: ChosenLine[]) => new Intl.ListFormat('en').format(lines.map(({ title }) => `“${title}”`))

function describeGoods(lines: ChosenLine[] | null, restCents: number): string {
  if (!lines) return `The buyer keeps what was bought. ${usd(restCents)} can still be given back later.`
  const ended = lines.filter(({ isLast }) => isLast)
  if (ended.length === 0)
    return 'Refunded codes that nobody has seen are for sale again, seen ones are withdrawn. The other copies stay.'
  return `${titlesOf(ended)} can no longer be opened, and reviews of it are hidden. The buyer keeps the rest of the order.`
}

export function describeRefund(
  offer: RefundOffer,
  amountCents: number,
  lines: ChosenLine[] | null = null,
  hasRequest = false,
): string[] {
  const terms = termsOf(offer)
  const { leftCents, creditCents, isCredit } = terms
  const effect = effectOf(terms, amountCents, lines !== null)
  const { isErased } = offer
  const paidLines = offer.lines.filter(({ paid }) => toCents(paid) > 0).length
  const told = `${isErased ? 'The buyer’s account is erased: nobody is told.' : 'The buyer is told by mail.'} It cannot be undone.`
  const erased = 'the erased account, which nobody can open.'
  const to = `${methodLabel(offer.to)}${offer.isSandbox ? ' (sandbox, no real money)' : ''}`
  const approval = needsApproval(offer, amountCents, lines !== null)
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
    ...(isCredit
      ? [
          `${usd(effect.creditCents)} becomes ${isErased ? `store credit of ${erased}` : 'the buyer’s store credit again.'}`,
        ]
      : effect.moneyCents > 0
        ? [`${usd(effect.moneyCents)} goes back through ${to} to where it came from.`]
        : []),
    ...(effect.creditCents > 0 && !isCredit
      ? [
          `${usd(effect.creditCents)} of store credit, which paid the rest, ${isErased ? `goes to ${erased}` : 'is the buyer’s again.'}`,
        ]
      : []),
    ...(creditCents > 0 && !effect.isWhole && !lines
      ? [`The ${usd(creditCents)} that store credit paid comes back with the last of the money, not now.`]
      : []),
    effect.isWhole
      ? 'The order ends as refunded: its files and codes can no longer be opened, and reviews of it are hidden.'
      : describeGoods(lines, leftCents - amountCents),
    ...(hasRequest && !lines && !answersRequests(effect.isWhole, paidLines)
      ? ['The buyer’s refund request stays open: refund its products, or decline it.']
      : []),
    ...(effect.bonusCents > 0
      ? [`${usd(effect.bonusCents)} of the first-purchase bonus is taken back, also when it is spent already.`]
      : []),
    'The sellers return their part of it, and the shop its fee.',
    told,
  ]
}
