import { signedCents, toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Refusal, SaleRefundOffer } from './sellerRefund.contract.ts'
import { effectOfCopies, MAX_REFUNDS, REFUND_DAYS } from './sellerRefund.rules.ts'

export type RefundPlan = { backCents: number; takenCents: number; problem: string | null; texts: string[] }

export const leftCopies = ({ copies, returned }: SaleRefundOffer): number => copies - returned

/** Returns what a refund of copies does, and why it is not possible. */
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
      'The buyer gets a mail with your reason. A review of the buyer stays.',
    ],
  }
}

const REFUSED: Record<Refusal, string> = {
  disputed: 'The buyer disputes this payment. The payment provider decides where the money goes.',
  own: 'This is your own purchase. Write to us in the chat to refund it.',
  suspended: 'You can’t sell for now, so the store makes refunds. Write to us in the chat.',
  late: `This sale is older than ${REFUND_DAYS} days. Ask the buyer to request a refund, or write to us in the chat.`,
  many: `You made ${MAX_REFUNDS} refunds in ${REFUND_DAYS} days. The store makes more of them. Write to us in the chat.`,
}

/** Returns why no copy of the sale can be refunded. */
export function describeRefusal(offer: SaleRefundOffer): string | null {
  if (leftCopies(offer) === 0) return 'All of this sale is refunded already.'
  return offer.refusal && REFUSED[offer.refusal]
}

export const describeShort = (shortCents: number) =>
  `Your balance is ${usd(shortCents)} short of this refund. Disputed sales and other sales on hold do not count. Write to us in the chat.`

function problemOf(offer: SaleRefundOffer, backCents: number, takenCents: number): string | null {
  if (offer.approvalLeft !== null && backCents > toCents(offer.approvalLeft))
    return 'The store makes refunds this large. Write to us in the chat.'
  const shortCents = takenCents - signedCents(offer.funds)
  return shortCents > 0 ? describeShort(shortCents) : null
}

const STATES = {
  requested: (what: string) => `${what} is under way.`,
  completed: (what: string) => `${what} was made.`,
  failed: (what: string) =>
    `The payment provider refused: ${what}. Nothing left your balance. Write to us in the chat.`,
}

/** 'A refund of $10.00 for 2 copies is under way.' */
export function describeRefund({ status, copies, total }: SaleRefundOffer['refunds'][number]): string {
  const sum = usd(toCents(total))
  if (status === 'failed') return STATES.failed(`a refund of ${sum}`)
  return STATES[status](`A refund of ${sum}${copies > 1 ? ` for ${copies} copies` : ''}`)
}
