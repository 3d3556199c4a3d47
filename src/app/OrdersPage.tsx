import { Download } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ProductImage } from '../catalogue/ProductImage.tsx'
import { FinishPaymentButton } from '../checkout/PayButtons.tsx'
import { Goods } from '../delivery/Goods.tsx'
import { useDownload } from '../delivery/useDownload.ts'
import { useNow } from '../kit/useNow.ts'
import { filesOf, minutesLeft } from '../orders/order.rules.ts'
import { OrderCard } from '../orders/OrderCard.tsx'
import type { Order, OrderStatus } from '../orders/orders.contract.ts'
import { Receipt } from '../orders/Receipt.tsx'
import { useOrders } from '../orders/useOrders.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** How many orders stand on the page at first, and how many more each press brings. */
const STEP = 20

/** Everything the customer has ordered; /orders/{id} opens one of them. */
export function OrdersPage({ id }: { id: string }) {
  const { orders, isPending, hasError, isFetching, refetch } = useOrders()
  const asked = orders.findIndex((order) => order.id === id)
  const isUnknown = id !== '' && asked === -1 && !isPending && !hasError
  useFreshWhilePending(orders, refetch)
  return (
    <div className="section gap-5">
      <PageHead title="My Orders" about={isPending || hasError ? undefined : `${orders.length} order(s)`} />
      {isUnknown && (
        <p className="card" role="alert">
          There is no order with this number among yours.
        </p>
      )}
      {hasError ? (
        <ErrorState title="The orders could not be loaded" onRetry={refetch} isRetrying={isFetching} />
      ) : isPending ? (
        <OrdersSkeleton />
      ) : orders.length === 0 ? (
        <EmptyState
          scene="ticket"
          title="No orders yet"
          action={
            <LinkButton tone="primary" href="/categories">
              Browse Products
            </LinkButton>
          }
        >
          Start shopping to see your orders here
        </EmptyState>
      ) : (
        <OrderList orders={orders} asked={asked} />
      )}
    </div>
  )
}

/** An order that waits may have been completed meanwhile: the list is read anew when the customer comes to it. */
function useFreshWhilePending(orders: Order[], refetch: () => void) {
  const isWaiting = orders.some(({ status }) => status === 'pending')
  const refresh = useEffectEvent(() => {
    if (isWaiting && document.visibilityState === 'visible') refetch()
  })
  useEffect(() => {
    refresh()
    const comeBack = () => refresh()
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [])
}

/** `asked` is the place of the order that the address names, or -1: then wide screens show the newest. */
function OrderList({ orders, asked }: { orders: Order[]; asked: number }) {
  const [shown, setShown] = useState(Math.max(STEP, asked + 1))
  const visible = orders.slice(0, Math.max(shown, asked + 1))
  const open = asked === -1 ? 0 : asked
  const opened = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (asked !== -1) opened.current?.querySelector('article')?.scrollIntoView({ block: 'nearest' })
  }, [asked])
  return (
    <>
      <ul className={`orders orders--detail ${asked === -1 ? 'is-overview' : ''}`} style={{ '--rows': visible.length }}>
        {visible.map((order, i) => (
          <li key={order.id} ref={i === open ? opened : undefined}>
            <OrderCard
              order={order}
              isOpen={i === open}
              action={<OrderAction order={order} />}
              note={<TimeLeft order={order} />}
            />
            {i === open && <Receipt order={order} goods={<OrderGoods order={order} />} />}
          </li>
        ))}
      </ul>
      {visible.length < orders.length && (
        <div className="flex justify-center">
          <Button onClick={() => setShown(visible.length + STEP)}>
            Show {Math.min(STEP, orders.length - visible.length)} more
          </Button>
        </div>
      )}
    </>
  )
}

/** Downloads the one file of an order; where there is more to choose from it leads to the list of goods. */
function OrderAction({ order }: { order: Order }) {
  const { download, busyLine } = useDownload(order.id)
  const isLate = useMinutesLeft(order) === 0
  if (order.status === 'pending') return isLate ? null : <FinishPaymentButton order={order} />
  if (order.status !== 'completed') return null
  const icon = <Download className="icon" aria-hidden />
  const [file] = filesOf(order)
  if (order.lines.length !== 1 || !file)
    return (
      <LinkButton tone="soft" icon={icon} href={`/orders/${order.id}`}>
        Download
      </LinkButton>
    )
  return (
    <Button tone="soft" icon={icon} isBusy={busyLine !== null} onClick={() => void download(file.id)}>
      Download
    </Button>
  )
}

/** Minutes in which a waiting order can still be paid; null for any other. */
function useMinutesLeft({ status, expiresAt }: Order): number | null {
  const now = useNow(15_000)
  return status === 'pending' ? minutesLeft(expiresAt, now) : null
}

function TimeLeft({ order }: { order: Order }) {
  const minutes = useMinutesLeft(order)
  if (minutes === null) return null
  return minutes === 0 ? ' · The time to pay has run out.' : ` · Pay within ${minutes} min.`
}

const absences: Record<OrderStatus, string> = {
  pending: 'Ready as soon as it is paid',
  completed: 'Being made ready',
  failed: 'Not paid, not delivered',
  refunded: 'Refunded, no longer yours',
}

const OrderGoods = ({ order }: { order: Order }) => (
  <Goods
    orderId={order.id}
    lines={order.lines}
    absence={absences[order.status]}
    picture={({ productId, title, categoryId, imageUrl }) => (
      <ProductImage product={{ id: productId, title, categoryId, imageUrl }} sizes="60px" className="thumb thumb--sm" />
    )}
  />
)

const OrdersSkeleton = () => (
  <div className="orders" role="status" aria-label="Loading the orders">
    {[0, 1, 2].map((i) => (
      <div key={i} className="ticket">
        <div className="ticket__part order__head">
          <Skeleton className="order__icon" />
          <div className="stack grow gap-2">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-5 w-24 rounded-full" />
          </div>
        </div>
        <div className="ticket__part order__foot">
          <Skeleton className="h-11 w-full" />
        </div>
      </div>
    ))}
  </div>
)
