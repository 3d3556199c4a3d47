import { Gift } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeCopies } from '../gifts/gift.texts.rules.ts'
import { describeReport } from '../../delivery/cases/case.texts.rules.ts'
import { formatClock } from '../../localisation/dates.rules.ts'
import { endOf } from '../../localisation/sentence.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { copiesToGive, isFrozen, refundedCents } from '../../purchases/order.rules.ts'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'

const ANSWERS = {
  open: 'You asked for a refund. We’ll answer by email and here.',
  granted: 'We refunded ',
  declined: 'We declined your refund: ',
}

type LineNotesProps = { order: Order; line: OrderLine; canGive: boolean; onGive: () => void; children: ReactNode }

/** What happened to a bought line: gifts, codes that are late or reported, refunds. */
export function LineNotes({ order, line, canGive, onGive, children }: LineNotesProps) {
  const { title, given = 0, isToGive = false, delivery, refundRequest } = line
  const toGive = copiesToGive(line)
  return (
    <>
      {toGive > 0 && !isFrozen(order) && <p className="small">{describeCopies(toGive, isToGive)}</p>}
      {order.giver && <p className="small">A gift from {endOf(order.giver)}</p>}
      {delivery?.kind === 'code' && delivery.supplyBy && (
        <p className="small" role="status">
          On its way. If it isn’t here by {formatClock(Date.parse(delivery.supplyBy))}, we return the money.
        </p>
      )}
      {delivery?.kind === 'code' &&
        delivery.reports?.map((report, i) => (
          <p key={i} className="small muted" role="status">
            {describeReport(report)}
          </p>
        ))}
      {refundRequest && (
        <p className="small muted" role="status">
          {ANSWERS[refundRequest.state]}
          {refundRequest.state === 'granted' ? `${usd(refundedCents(order))} of this order.` : refundRequest.answer}
        </p>
      )}
      {canGive && (toGive > 0 || given > 0) && (
        <Button
          tone={toGive > 0 ? 'soft' : 'quiet'}
          icon={<Gift className="icon" aria-hidden />}
          aria-label={`${given > 0 ? 'Gifts of' : 'Give'} ${title}`}
          onClick={onGive}
        >
          {given > 0 ? 'Gifts' : 'Give'}
        </Button>
      )}
      {children}
    </>
  )
}
