import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { FinishPaymentButton } from '../../checkout/BuyButtons.tsx'
import { useFreshOrders } from '../../checkout/usePayment.ts'
import { Goods } from '../../delivery/Goods.tsx'
import { useDownload } from '../../delivery/useDownload.ts'
import { useNow } from '../../kit/useNow.ts'
import { filesOf, minutesLeft } from '../../orders/order.rules.ts'
import { OrderCard } from '../../orders/OrderCard.tsx'
import type { Order, OrderStatus } from '../../orders/orders.contract.ts'
import { Receipt } from '../../orders/Receipt.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'

// the size of the real button
const waiting = (
  <Button tone="ghost" disabled>
    Cancel order
  </Button>
)
const CancelOrderButton = lazyPart(() => import('../../checkout/CancelOrderButton.tsx'), 'CancelOrderButton', waiting)
const HoldNotice = lazyPart(() => import('./HoldNotice.tsx'), 'HoldNotice')

type OrderListProps = {
  orders: Order[]
  /** The order in the URL, or empty: then wide screens show the newest. */
  asked: string
  /** The number of orders not loaded yet. */
  left: number
  readMore: (() => Promise<unknown>) | null
  isReadingMore: boolean
}

export function OrderList({ orders, asked, left, readMore, isReadingMore }: OrderListProps) {
  const place = orders.findIndex(({ id }) => id === asked)
  const isListed = place !== -1
  const open = Math.max(0, place)
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more orders. Please try again.'),
  )
  useEffect(() => {
    if (isListed) list.current?.querySelector('.is-open')?.scrollIntoView({ block: 'nearest' })
  }, [asked, isListed, list])
  const [wanted, setWanted] = useState<{ id: string }>()
  useEffect(() => {
    if (wanted?.id !== asked) return
    const goods = list.current?.querySelector<HTMLElement>('.order__goods')
    goods?.scrollIntoView({ block: 'center' })
    goods?.focus({ preventScroll: true })
  }, [wanted, asked, list])
  return (
    <>
      <ul
        ref={list}
        className={`orders orders--detail ${isListed ? '' : 'is-overview'}`}
        style={{ '--rows': orders.length }}
      >
        {orders.map((order, i) => (
          <li key={order.id} data-order={order.id}>
            <OrderCard
              order={order}
              isOpen={i === open}
              action={<OrderAction order={order} onChoose={() => setWanted({ id: order.id })} />}
              notice={order.hold && <HoldNotice orderId={order.id} hold={order.hold} />}
              note={<TimeLeft order={order} />}
            />
            {i === open && <Receipt order={order} goods={<OrderGoods order={order} />} />}
          </li>
        ))}
      </ul>
      {readMore && (
        <div className="row row--center">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Load more
          </Button>
          <span className="muted small num" role="status">
            {left} more order(s)
          </span>
        </div>
      )}
    </>
  )
}

/** Refetches the orders after the server refused a download. */
function useAfterRefusal() {
  const refresh = useFreshOrders()
  return () => {
    // the pressed button disappears: keep the keyboard focus at the order
    document.activeElement?.closest('[data-order]')?.querySelector('a')?.focus()
    void refresh()
  }
}

/** Downloads the only file of an order, or leads to the list of its goods. */
function OrderAction({ order, onChoose }: { order: Order; onChoose: () => void }) {
  const { download, busyLine } = useDownload(order.id, useAfterRefusal())
  const isLate = useMinutesLeft(order) === 0
  if (order.status === 'pending')
    return (
      <>
        {order.hold?.kind !== 'hold' && <CancelOrderButton order={order} />}
        {!isLate && !order.hold && <FinishPaymentButton order={order} />}
      </>
    )
  if (order.status !== 'completed') return null
  const icon = <Download className="icon" aria-hidden />
  const [file] = filesOf(order)
  if (order.lines.length !== 1 || !file)
    return (
      <LinkButton tone="soft" icon={icon} href={`/orders/${order.id}`} onClick={onChoose}>
        Download
      </LinkButton>
    )
  return (
    <Button tone="soft" icon={icon} isBusy={busyLine !== null} onClick={() => void download(file.id)}>
      Download
    </Button>
  )
}

/** Minutes until a pending order expires; null for any other. */
function useMinutesLeft({ status, expiresAt, hold }: Order): number | null {
  const now = useNow(15_000)
  return status === 'pending' && hold?.kind !== 'hold' ? minutesLeft(expiresAt, now) : null
}

function TimeLeft({ order }: { order: Order }) {
  const minutes = useMinutesLeft(order)
  if (minutes === null) return null
  return minutes === 0 ? ' · The time to pay has run out.' : ` · Pay within ${minutes} min.`
}

const absences: Record<OrderStatus, string> = {
  pending: 'Ready once paid',
  completed: 'Getting it ready',
  failed: 'Not delivered',
  refunded: 'Refunded',
}

const OrderGoods = ({ order }: { order: Order }) => (
  <Goods
    orderId={order.id}
    lines={order.lines}
    onRefused={useAfterRefusal()}
    absence={order.hold?.kind === 'hold' ? 'Paid. Delivered after a quick review' : absences[order.status]}
    picture={({ productId, title, categoryId, imageUrl }) => (
      <ProductImage product={{ id: productId, title, categoryId, imageUrl }} sizes="60px" className="thumb thumb--sm" />
    )}
  />
)
