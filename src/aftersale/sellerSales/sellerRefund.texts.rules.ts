import { signedCents, toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { SaleRefundOffer } from './sellerRefund.contract.ts'
import { effectOfCopies } from './sellerRefund.rules.ts'

export type RefundPlan = { backCents: number; takenCents: number; problem: string | null; texts: string[] }

export const leftCopies = ({ copies, returned }: SaleRefundOffer): number => copies - returned

/** What a refund of copies would do, and why it cannot be made. */
export function planSaleRefund(offer: SaleRefundOffer, copies: number): RefundPlan {
  const sale = {
    ...{ grossCents: toCents(offer.paid), returnedCents: toCents(offer.returnedSum) },
    ...{ quantity: offer.copies, returnedQuantity: offer.returned },
    ...{ feeCents: toCents(offer.fee), returnedFeeCents: toCents(offer.returnedFee) },
  }
  const { backCents, takenCents } = effectOfCopies(sale, copies)
  const feeCents = backCents - takenCents
  const isLast = copies >= leftCopies(offer)
  return {
    backCents,
    takenCents,
    problem: problemOf(offer, backCents, takenCents),
    texts: [
      `${usd(backCents)} goes back to the buyer.`,
      feeCents > 0
        ? `${usd(takenCents)} leaves your balance. The store returns its fee of ${usd(feeCents)}.`
        : `${usd(takenCents)} leaves your balance.`,
      isLast ? 'The buyer can’t open it afterwards.' : `The buyer keeps ${leftCopies(offer) - copies}.`,
      'The buyer gets a mail with your words.',
    ],
  }
}

function problemOf(offer: SaleRefundOffer, backCents: number, takenCents: number): string | null {
  if (offer.isDisputed) return 'The buyer disputes this payment. The payment provider decides where the money goes.'
  if (backCents === 0) return 'All of this sale is refunded already.'
  if (offer.approvalAbove !== null && backCents > toCents(offer.approvalAbove))
    return `Refunds above ${usd(toCents(offer.approvalAbove))} are for the store to make. Write to us in the chat.`
  const shortCents = takenCents - signedCents(offer.funds)
  return shortCents > 0
    ? `Your balance is ${usd(shortCents)} short of this refund. Disputed sales do not count. Write to us in the chat.`
    : null
}
