import { Gift, Star, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { canAskRefund } from '../refunds/ask.rules.ts'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { Goods } from '../../delivery/goods/Goods.tsx'
import type { OrderStatus } from '../../orders/states.rules.ts'
import { isFrozen } from '../../purchases/order.rules.ts'
import { coverOf, LineCover } from '../../purchases/OrderCard.tsx'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import type { MenuItem } from '../../ui/menu/Menu.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { useAfterRefusal } from './useAfterRefusal.ts'

const LineNotes = lazyPart(() => import('./LineNotes.tsx'), 'LineNotes')
const LineReview = lazyPart(() => import('../../reviews/LineReview.tsx'), 'LineReview', <Skeleton height="5rem" />)
const GiftDialog = lazyDialog(() => import('../gifts/GiftDialog.tsx'), 'GiftDialog')
const RequestRefundDialog = lazyDialog(() => import('../refunds/RequestRefundDialog.tsx'), 'RequestRefundDialog')

const ABSENCES: Record<OrderStatus, string> = {
  pending: 'Ready once paid',
  completed: 'Getting it ready',
  failed: 'Not delivered',
  refunded: 'Refunded',
}

export function OrderGoods({ order }: { order: Order }) {
  const refresh = useFreshOrders()
  const onRefused = useAfterRefusal()
  const refund = useDialog()
  const [gift, setGift] = useState<OrderLine | null>(null)
  const [reviewed, setReviewed] = useState<{ lineId: string; choice: number } | null>(null)
  const isCompleted = order.status === 'completed'
  const lines = isFrozen(order) ? order.lines.map((line) => ({ ...line, delivery: null })) : order.lines
  const canGive = (line: OrderLine) => isCompleted && !line.isFree && !isFrozen(order) && line.refunded < line.quantity
  const refundItems: MenuItem[] = canAskRefund(order)
    ? [{ label: 'Ask for a refund', icon: <Undo2 className="icon" aria-hidden />, onChoose: refund.open }]
    : []
  const menuOf = (line: OrderLine): MenuItem[] => [
    ...(canGive(line)
      ? [
          {
            label: line.given ? 'Gifts' : 'Give a copy',
            icon: <Gift className="icon" aria-hidden />,
            onNear: () => void GiftDialog.preload(),
            onChoose: () => setGift(line),
          },
        ]
      : []),
    ...(isCompleted && line.isReviewed !== null
      ? [
          {
            label: line.isReviewed ? 'Your review' : 'Write a review',
            icon: <Star className="icon" aria-hidden />,
            onChoose: () => setReviewed((was) => ({ lineId: line.id, choice: (was?.choice ?? 0) + 1 })),
          },
        ]
      : []),
    ...(lines.length === 1 ? refundItems : []),
  ]
  return (
    <>
      <Goods
        orderId={order.id}
        lines={lines}
        onRefused={onRefused}
        absence={(line) => whyAbsent(order, line)}
        picture={(line, size) =>
          size === 'small' ? <LineCover line={line} /> : <ProductImage product={coverOf(line)} sizes="640px" />
        }
        notes={
          isCompleted
            ? (line) => (
                <LineNotes order={order} line={line} canGive={canGive(line)} onGive={() => setGift(line)}>
                  {reviewed?.lineId === line.id && (
                    <LineReview
                      productId={line.productId}
                      lineId={line.id}
                      choice={reviewed.choice}
                      onChange={() => void refresh()}
                    />
                  )}
                </LineNotes>
              )
            : undefined
        }
        menuOf={menuOf}
        menuOfAll={lines.length > 1 ? refundItems : []}
      />
      {gift && <GiftDialog orderId={order.id} line={gift} onClose={() => setGift(null)} />}
      {refund.isWanted && <RequestRefundDialog {...refund.props} order={order} refresh={refresh} />}
    </>
  )
}

function whyAbsent(order: Order, line: OrderLine): string {
  if (line.refunded > 0) return order.takenBack ? 'Taken back' : ABSENCES.refunded
  if (line.isToGive) return 'To give away'
  if (isFrozen(order)) return 'Closed while the dispute is open'
  if (order.hold?.kind === 'hold') return 'Paid. Delivered after a quick review'
  return ABSENCES[order.status]
}
