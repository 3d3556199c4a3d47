import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { isPaid } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

// The goods come first, so the receipt loads after them.
const ReceiptBody = lazyPart(() => import('./ReceiptBody.tsx'), 'ReceiptBody', <Skeleton height="12rem" />)

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
