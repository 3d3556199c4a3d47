import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { isPaid } from './order.rules.ts'
import type { Order } from './orders.contract.ts'
import { ReceiptBody } from './ReceiptBody.tsx'

type ReceiptProps = { order: Order; isOpen: boolean; onToggle: () => void }

/** A part of the card of an order. It is printed open. */
export function Receipt({ order, isOpen, onToggle }: ReceiptProps) {
  const [heading, body] = [useId(), useId()]
  return (
    <section className="ticket__part receipt__fold" aria-labelledby={heading}>
      <h3 id={heading}>
        <button
          type="button"
          className="receipt__toggle"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={onToggle}
        >
          {isPaid(order) ? 'Receipt' : 'Order details'}
          <ChevronDown className="icon" aria-hidden />
        </button>
      </h3>
      <div id={body} className="receipt__body" hidden={!isOpen}>
        <ReceiptBody order={order} />
      </div>
    </section>
  )
}
