import type { ReturnedGift } from '../../delivery/kinds.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { OrderRow } from '../../orders/orders.store.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import type { Payment } from '../../payments/payments.store.server.ts'
import type { Refund } from '../../payments/refunds.store.server.ts'
import { findRefundLines } from '../../payments/refunds/refundLines.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { mailMember } from '../../notifications/mail/caseMail.server.ts'

const listOf = (titles: string[]) => new Intl.ListFormat('en').format(titles.map((title) => `“${title}”`))

const describeReturned = ({ title, toName, copies }: ReturnedGift) =>
  `Your gift${toName && ` to ${toName}`}, ${copies > 1 ? `${copies} × ` : ''}“${title}”, was taken back. We notified ${toName || 'the person who had claimed it'}.`

export async function mailRefund(
  tx: Tx,
  checkout: Pick<Checkout, 'config' | 'publicUrl'>,
  order: OrderRow,
  payment: Payment,
  {
    refund,
    beforeCents,
    creditCents,
    takenCents,
    lines = [],
    isWhole = true,
    gifts = [],
  }: {
    refund: Refund
    beforeCents: number
    creditCents: number
    takenCents: number
    lines?: string[]
    isWhole?: boolean
    gifts?: ReturnedGift[]
  },
) {
  const isOfCredit = refund.amountCents === 0
  const [sum, paid] = [usd(isOfCredit ? creditCents : refund.amountCents), usd(payment.amountCents)]
  const leftCents = payment.amountCents - beforeCents - refund.amountCents
  const told = refund.isBySeller
    ? [`The seller has refunded ${sum} for ${listOf(lines)}.`, ...(isWhole ? [] : ['You keep the rest of your order.'])]
    : lines.length > 0 && !isWhole
      ? [`We have refunded ${sum} for ${listOf(lines)}.`, 'You keep the rest of your order.']
      : payment.status === 'mismatched'
        ? ['A payment for your order could not be used, so all of it was given back to you.']
        : leftCents > 0
          ? [`We have refunded ${sum} of the ${paid} you paid. ${usd(leftCents)} remains.`, 'You keep what you bought.']
          : [
              `We have refunded ${sum}; with it all of the ${paid} you paid is given back.`,
              'What you bought can no longer be opened.',
            ]
  const short = order.id.slice(-8)
  await mailBuyer(tx, checkout, order, {
    // refunds of money that paid for no goods share one mail
    key: `refund:${payment.status === 'mismatched' ? payment.id : refund.id}`,
    subject:
      payment.status === 'mismatched' ? `A refund for your order ${short}` : `Refund of ${sum} for your order ${short}`,
    lines: [
      ...told,
      ...gifts.map(describeReturned),
      // only reasons that a person entered in the browser are for the buyer
      ...(refund.askedBy === null ? [] : [`${refund.isBySeller ? 'The seller says' : 'Reason'}: ${refund.reason}`]),
      ...(creditCents > 0 ? [`${usd(creditCents)} is store credit again, to be spent from now on.`] : []),
      ...(takenCents > 0
        ? [`The first-purchase bonus is smaller by its share: ${usd(takenCents)} of store credit is taken back.`]
        : []),
      ...(payment.provider === CREDIT || isOfCredit
        ? []
        : ['The money goes back to where it came from. Your payment provider decides how soon it shows there.']),
    ],
  })
}

/** Notifies the seller who asked for a refund that the provider refused it. */
export async function mailRefusal(tx: Tx, checkout: Pick<Checkout, 'config' | 'publicUrl'>, refund: Refund) {
  const [line] = await findRefundLines(tx, refund.id)
  if (refund.askedBy === null || !line) return
  const sum = usd(refund.amountCents + refund.creditCents)
  await mailMember(tx, checkout, refund.askedBy, {
    key: `refund-refused:${refund.id}`,
    subject: `The refund of ${sum} was not possible`,
    lines: [
      `The payment provider refused your refund of ${sum}. The buyer got no money, and nothing left your balance.`,
      'Write to us in the chat, and we find another way.',
    ],
    action: { label: 'Open the sale', path: `/sales/${line.orderLineId}` },
  })
}
