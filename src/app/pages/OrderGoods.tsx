import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { Goods } from '../../delivery/Goods.tsx'
import { isFrozen, refundedCents } from '../../purchases/order.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import type { OrderStatus } from '../../orders/states.rules.ts'
import { LineCover } from '../../purchases/OrderCard.tsx'
import { USDC } from '../../payments/methods.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'

const TransferNotice = lazyPart(() => import('../../providers/usdc/TransferNotice.tsx'), 'TransferNotice')
const AfterPurchase = lazyPart(() => import('./AfterPurchase.tsx'), 'AfterPurchase')
const RefundPart = lazyPart(() => import('../../aftersale/refunds/RefundPart.tsx'), 'RefundPart')

export function useAfterRefusal() {
  const refresh = useFreshOrders()
  return () => {
    // The pressed button disappears, so moves the keyboard focus to the order.
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

export function OrderGoods({ order }: { order: Order }) {
  const refunded = refundedCents(order)
  const lines = isFrozen(order) ? order.lines.map((line) => ({ ...line, delivery: null })) : order.lines
  return (
    <>
      <Goods
        orderId={order.id}
        lines={lines}
        onRefused={useAfterRefusal()}
        absence={(line) =>
          line.refunded > 0
            ? order.takenBack
              ? 'Taken back'
              : absences.refunded
            : line.isToGive
              ? 'To give away'
              : isFrozen(order)
                ? 'Closed while the dispute is open'
                : order.hold?.kind === 'hold'
                  ? 'Paid. Delivered after a quick review'
                  : absences[order.status]
        }
        picture={(line) => <LineCover line={line} />}
        below={
          order.status === 'completed'
            ? (line) => <AfterPurchase {...{ order, line }} refundedCents={refunded} />
            : undefined
        }
      />
      {order.paymentMethod === USDC && <TransferNotice orderId={order.id} />}
      {(order.status === 'completed' || order.dispute) && <RefundPart order={order} />}
    </>
  )
}
