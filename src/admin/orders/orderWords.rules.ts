import type { PaymentStatus } from '../../payments/payments.contract.ts'
import type { FiledLine, FiledRefund, OrderFile, Wait } from './adminOrders.contract.ts'
import paymentWords from './paymentWords.json' with { type: 'json' }

/** 'Night Trains, Salt and 3 more' */
export function titlesOf({ titles, lineCount }: { titles: string[]; lineCount: number }): string {
  const more = lineCount - titles.length
  return titles.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** States in which an order waits, each with the person who must act. */
export const WAIT_TEXTS: Record<Wait, string> = {
  'refund-requested': 'Staff: refund requested',
  'waits-for-approval': 'Staff: refund to approve',
  held: 'Staff: on hold',
  'dispute-to-answer': 'Staff: dispute to answer',
  'bad-code': 'Staff: bad code',
  'waits-for-seller': 'Seller: bad code',
  'waits-for-buyer': 'Buyer: payment to confirm',
  'waits-for-provider': 'Provider: dispute under review',
}

export const PAYMENT_WORDS: Record<PaymentStatus, string> = paymentWords

type Moment = (iso: string) => string

/** Short facts about a line: 'Delivered Nov 18', 'Downloaded Nov 19', 'Closed Nov 20'. */
export function describeDelivery(
  line: Pick<FiledLine, 'delivery' | 'deliveredAt' | 'closedAt' | 'uses'>,
  moment: Moment,
) {
  const { delivery, deliveredAt, closedAt } = line
  const uses = line.uses.filter(({ kind }) => kind !== 'copy')
  if (deliveredAt === null) return ['Not delivered']
  const done = delivery === 'file' ? 'Downloaded' : delivery === 'course' ? 'Opened' : 'Revealed'
  const [last, first] = [uses[0], uses.at(-1)]
  const used = !last
    ? `Never ${done.toLowerCase()}`
    : `${done} ${moment(first!.at)}${uses.length > 1 ? `, last ${moment(last.at)} (${uses.length} in all)` : ''}`
  return [`Delivered ${moment(deliveredAt)}`, used, ...(closedAt ? [`Closed ${moment(closedAt)}`] : [])]
}

export function whyNoRefund({
  status,
  offer,
  payments,
  risk,
}: Pick<OrderFile, 'status' | 'offer' | 'payments' | 'risk'>) {
  if (offer?.isDisputed)
    return 'The buyer disputes the payment. Answer the dispute; nothing can be refunded until it ends.'
  if (offer?.lines.some(({ left }) => /[1-9]/.test(left))) return null
  if (offer) return /[1-9]/.test(offer.left) ? null : 'Fully refunded, or the money is on its way.'
  if (status === 'refunded') return 'Fully refunded.'
  if (risk?.hold?.state === 'open') return 'The payment is in, and the goods are waiting for review under Risk.'
  if (payments.some((payment) => payment.status === 'capturing'))
    return 'The payment is in progress. Check again in a minute.'
  return 'No money was taken for this order.'
}

type Refunders = Pick<FiledRefund, 'isByBuyer' | 'isBySeller' | 'askedBy' | 'approvedBy'>

/**
 * Describes who made a refund: 'By ada@shop.example, approved by bo@shop.example'. Empty if no person made it, but the
 * command line, the shop or the provider.
 */
export function describeRefunder({ isByBuyer, isBySeller, askedBy, approvedBy }: Refunders): string {
  if (isByBuyer) return 'By the buyer, at once'
  if (isBySeller) return `By the seller, ${askedBy ?? 'a former member'}, from their balance`
  const approved = approvedBy && `approved by ${approvedBy}`
  if (!askedBy) return approved ? `A${approved.slice(1)}` : ''
  return [`By ${askedBy}`, approved].filter(Boolean).join(', ')
}
