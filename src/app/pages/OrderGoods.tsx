import { useState } from 'react'
import { useFreshOrders } from '../../checkout/usePayment.ts'
import { Goods } from '../../delivery/Goods.tsx'
import type { Order, OrderLine, OrderStatus } from '../../orders/orders.contract.ts'
import { LineCover } from '../../orders/OrderCard.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const LineReview = lazyPart(() => import('../../reviews/LineReview.tsx'), 'LineReview', <Skeleton height="5rem" />)
const RequestRefundDialog = lazyDialog(
  () => import('../../checkout/refunds/RequestRefundDialog.tsx'),
  'RequestRefundDialog',
)

/** Refetches the orders after the server refused a download. */
export function useAfterRefusal() {
  const refresh = useFreshOrders()
  return () => {
    // the pressed button disappears: keep the keyboard focus at the order
    document.activeElement?.closest('[data-order]')?.querySelector('a')?.focus()
    void refresh()
  }
}

const absences: Record<OrderStatus, string> = {
  pending: 'Ready once paid',
  completed: 'Getting it ready',
  failed: 'Not delivered',
  refunded: 'Refunded',
}

/** The goods of an order, with their reviews and the way to a refund. */
export function OrderGoods({ order }: { order: Order }) {
  const dialog = useDialog()
  const refresh = useFreshOrders()
  const canAsk = order.status === 'completed' && order.lines.some(({ refundRequest }) => !refundRequest)
  return (
    <>
      <Goods
        orderId={order.id}
        lines={order.lines}
        onRefused={useAfterRefusal()}
        absence={order.hold?.kind === 'hold' ? 'Paid. Delivered after a quick review' : absences[order.status]}
        picture={(line) => <LineCover line={line} />}
        below={order.status === 'completed' ? (line) => <BelowLine line={line} /> : undefined}
      />
      {canAsk && (
        <Button tone="quiet" onClick={dialog.open}>
          Ask for a refund
        </Button>
      )}
      {dialog.isWanted && <RequestRefundDialog {...dialog.props} order={order} refresh={refresh} />}
    </>
  )
}

const answers = {
  open: 'You asked for a refund. We’ll answer by email and here.',
  granted: 'Your refund was granted.',
  declined: 'We declined your refund: ',
}

function BelowLine({ line: { id, productId, refundRequest, isReviewed } }: { line: OrderLine }) {
  const [isWriting, setWriting] = useState(false)
  return (
    <>
      {refundRequest && (
        <p className="small muted" role="status">
          {answers[refundRequest.state]}
          {refundRequest.answer}
        </p>
      )}
      {isWriting ? (
        <LineReview productId={productId} lineId={id} />
      ) : (
        isReviewed !== null && (
          <Button tone="quiet" onClick={() => setWriting(true)}>
            {isReviewed ? 'Your review' : 'Write a review'}
          </Button>
        )
      )}
    </>
  )
}
