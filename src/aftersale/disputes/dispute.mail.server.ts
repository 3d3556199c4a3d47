import type { Tx } from '../../kit/database.server.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { mailFinance, mailMember } from '../../notifications/mail/caseMail.server.ts'
import type { OrderRow } from '../../orders/orders.store.server.ts'
import type { Dispute } from '../../payments/disputes/disputes.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { describeReason } from './dispute.rules.ts'
import { listSellers } from './disputeQueue.statements.server.ts'

type Mailing = Pick<Checkout, 'config' | 'publicUrl'>
type Event = 'opened' | 'won' | 'lost'

const ASKED: Record<Exclude<Dispute['stage'], 'claim'>, { subject: string; act: string; meanwhile: string }> = {
  warning: {
    subject: 'A bank asks about a payment of',
    act: 'Send the evidence, or refund the order',
    meanwhile: 'No money has moved, and the order stays open. Without a reply this may become a dispute.',
  },
  inquiry: {
    subject: 'A buyer asks for a refund of a payment of',
    act: 'Write to the buyer, or offer a refund',
    meanwhile:
      'The provider accepts no evidence at this stage. If you and the buyer find no solution, either side may escalate the inquiry to a claim. Until it ends, the buyer can’t open the goods, and the sellers wait for their money.',
  },
}

const SUBJECTS: Record<Event, (sum: string, short: string) => string> = {
  opened: (sum, short) => `A payment of ${sum} is disputed: order ${short}`,
  won: (sum, short) => `The dispute of ${sum} is won: order ${short}`,
  lost: (sum, short) => `The dispute of ${sum} is lost: order ${short}`,
}

/** Mails finance staff once for each event, and the sellers whose earnings are held or released. */
export async function notifyOfDispute(tx: Tx, mailing: Mailing, order: OrderRow, dispute: Dispute, event: Event) {
  await mailStaff(tx, mailing, order, dispute, event)
  if (event !== 'lost' && dispute.stage !== 'warning') await mailSellers(tx, mailing, order, dispute, event)
}

async function mailStaff(tx: Tx, mailing: Mailing, order: OrderRow, dispute: Dispute, event: Event) {
  const { id, amountCents, reason, evidenceDueAt, stage, lostCents } = dispute
  const isPart = lostCents !== null && lostCents < amountCents
  const asked = stage === 'claim' ? null : ASKED[stage]
  const due = evidenceDueAt ? ` by ${formatDay(evidenceDueAt.toISOString())}` : ''
  const lines: Record<Event, string[]> = {
    opened: asked
      ? [`${describeReason(reason)}. ${asked.act}${due}.`, asked.meanwhile]
      : [
          `${describeReason(reason)}. Answer it${due}, or it is lost.`,
          'Until it ends, the buyer can’t open the goods, the order can’t be refunded, and its sellers wait for their money.',
        ],
    won: ['The money is the shop’s again, and what its sellers earned is theirs. The goods open again.'],
    lost: isPart
      ? [`The buyer got ${usd(lostCents)} back. Its sellers return their part of that, and the goods open again.`]
      : ['The buyer has the money back. Its sellers return their part, and access to the goods has ended.'],
  }
  await mailFinance(tx, mailing, {
    key: `dispute-${event}:${id}${stage === 'claim' ? '' : `:${stage}`}`,
    subject:
      event === 'opened' && asked
        ? `${asked.subject} ${usd(amountCents)}: order ${order.id.slice(-8)}`
        : SUBJECTS[event](usd(amountCents), order.id.slice(-8)),
    lines: lines[event],
    action: { label: 'Open the dispute', path: `/admin/disputes/${id}` },
  })
}

async function mailSellers(tx: Tx, mailing: Mailing, order: OrderRow, dispute: Dispute, event: 'opened' | 'won') {
  const { id, evidenceDueAt } = dispute
  const latest = evidenceDueAt ? ` We answer by ${formatDay(evidenceDueAt.toISOString())}.` : ''
  const sellers = await listSellers(tx, { orderId: order.id })
  const short = order.id.slice(-8)
  for (const { sellerId, lineIds } of sellers)
    await mailMember(tx, mailing, sellerId, {
      key: `dispute-${event}:${id}:${sellerId}:seller`,
      subject: event === 'opened' ? `A sale of yours is disputed: order ${short}` : `A dispute is won: order ${short}`,
      lines:
        event === 'opened'
          ? [
              'The buyer disputes the payment at the payment provider. What you earned with it waits until that is decided.',
              `We answer the dispute with the delivery log. On the page of the sale you can add facts until we answer.${latest}`,
            ]
          : ['The payment provider decided for the shop. What you earned with this sale is yours again.'],
      action:
        lineIds.length === 1
          ? { label: 'Open the sale', path: `/sales/${lineIds[0]}` }
          : { label: 'Open your sales', path: '/orders?tab=sales' },
    })
}
