import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCart } from '../../cart/useCart.ts'
import { useDownload } from '../../delivery/files/useDownload.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { filesOf, isFrozen, isUnpaid, minutesLeft } from '../../purchases/order.rules.ts'
import { OrderCard } from '../../purchases/OrderCard.tsx'
import type { Order } from '../../purchases/orders.contract.ts'
import { Receipt } from '../../purchases/Receipt.tsx'
import { whyFailed } from '../../purchases/timeline.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { BrowseProducts, LinkButton } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { OrderGoods, useAfterRefusal } from './OrderGoods.tsx'

const waiting = (tone: 'ghost' | 'primary' | 'quiet', text: string) => (
  <Button tone={tone} className={tone === 'quiet' ? 'flush-start' : undefined} disabled>
    {text}
  </Button>
)
const WaitingToPay = () => (
  <>
    {waiting('primary', 'Finish payment')}
    {htmlData().methods?.includes(',') && waiting('quiet', 'Pay another way')}
  </>
)
const FinishPaymentButton = lazyPart(
  () => import('../../checkout/FinishPaymentButton.tsx'),
  'FinishPaymentButton',
  <WaitingToPay />,
)
const CancelOrderButton = lazyPart(
  () => import('../../checkout/CancelOrderButton.tsx'),
  'CancelOrderButton',
  waiting('ghost', 'Cancel order'),
)
const UnpaidOrders = lazyPart(() => import('./UnpaidOrders.tsx'), 'UnpaidOrders')
const HoldNotice = lazyPart(() => import('./HoldNotice.tsx'), 'HoldNotice')

const DECLINED = 'You weren’t charged. Press Finish payment to try another way.'

const PARTS = { receipt: '.order__receipt', goods: '.order__goods' }

type OrderListProps = {
  orders: Order[]
  /** The id of the order in the URL. If empty, wide screens show the newest order. */
  asked: string
  /** The number of orders not loaded yet. */
  left: number
  readMore: (() => Promise<unknown>) | null
  isReadingMore: boolean
}

export function OrderList({ orders: all, asked, left, readMore, isReadingMore }: OrderListProps) {
  const cart = useCart().items.map(({ productId }) => productId)
  const orders = all.filter((order) => !isUnpaid(order))
  const place = orders.findIndex(({ id }) => id === asked)
  const isListed = place !== -1
  const unpaid = all.filter(isUnpaid)
  const open = unpaid.some(({ id }) => id === asked) ? -1 : Math.max(0, place)
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more orders. Please try again.'),
  )
  useEffect(() => {
    if (isListed) list.current?.querySelector('.is-open')?.scrollIntoView({ block: 'nearest' })
  }, [asked, isListed, list])
  const [wanted, setWanted] = useState<{ id: string; part: keyof typeof PARTS }>()
  useEffect(() => {
    if (wanted?.id !== asked) return
    const part = list.current?.querySelector<HTMLElement>(PARTS[wanted.part])
    part?.scrollIntoView({ block: 'start' })
    part?.focus({ preventScroll: true })
  }, [wanted, asked, list])
  return (
    <>
      {orders.length === 0 && (
        <EmptyState scene="ticket" title="No orders yet" action={<BrowseProducts />}>
          Start shopping to see your orders here
        </EmptyState>
      )}
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
              {...(i === open && { onDetails: () => setWanted({ id: order.id, part: 'receipt' }) })}
              action={<OrderAction order={order} onChoose={() => setWanted({ id: order.id, part: 'goods' })} />}
              notice={order.hold && <HoldNotice orderId={order.id} hold={order.hold} />}
              note={<TimeLeft order={order} />}
              why={order.declinedAt ? DECLINED : whyFailed(order, cart)}
            />
            {i === open && <Receipt order={order} goods={<OrderGoods order={order} />} />}
          </li>
        ))}
      </ul>
      <UnpaidOrders orders={unpaid} asked={asked}>
        {(order) => (
          <>
            <OrderCard order={order} isOpen={order.id === asked} why={whyFailed(order, cart)} />
            {order.id === asked && <Receipt order={order} goods={<OrderGoods order={order} />} />}
          </>
        )}
      </UnpaidOrders>
      {readMore && (
        <div className="row row--center">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Load more
          </Button>
          <span className="muted small num" role="status">
            {left > 0 && plural(left, 'more order')}
          </span>
        </div>
      )}
    </>
  )
}

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
  if (order.status !== 'completed' || isFrozen(order)) return null
  // A claimed gift whose buyer was refunded.
  if (order.lines.every(({ delivery, refunded }) => !delivery && refunded)) return null
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

function useMinutesLeft({ status, expiresAt, hold }: Order): number | null {
  const now = useNow(15_000)
  return status === 'pending' && hold?.kind !== 'hold' ? minutesLeft(expiresAt, now) : null
}

function TimeLeft({ order }: { order: Order }) {
  const minutes = useMinutesLeft(order)
  if (minutes === null) return null
  return minutes === 0 ? ' · The time to pay has run out.' : ` · Pay within ${minutes} min.`
}
