import { useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { OwnedTabs } from '../../delivery/library/OwnedTabs.tsx'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { Failure } from '../../kit/failure.ts'
import { live } from '../../kit/query/useLive.ts'
import { isUnpaid } from '../../purchases/order.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { ordersQuery } from '../../purchases/orders.query.client.ts'
import { useOrder, useOrders } from '../../purchases/useOrders.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { PageSkeleton } from '../shell/lazyPage.tsx'
import { OrderList } from './OrderList.tsx'
import { OrderView } from './OrderView.tsx'

export const firstView = () => [ordersQuery]

const SalesPage = lazyPart(() => import('../../selling/sales/SalesPage.tsx'), 'SalesPage', <Skeleton height="24rem" />)

export function OrdersPage({ id }: { id: string }) {
  const [search] = useSearchParams()
  return id === '' && search.get('tab') === 'sales' ? <SalesPage /> : <Bought key={id} id={id} />
}

function Bought({ id }: { id: string }) {
  const { orders, total, isPending, hasError, refetch, readMore, isReadingMore } = useOrders()
  const loaded = orders.find((order) => order.id === id)
  const isElsewhere = id !== '' && !loaded && !isPending && !hasError
  const one = useOrder(id, isElsewhere)
  const order = loaded ?? one.data
  useFreshWhilePending(order ? [...orders, order] : orders)
  return (
    <div className="section gap-5">
      <PageHead
        title="My Orders"
        about={isPending || hasError ? undefined : `${total} order(s)`}
        action={
          id !== '' && (
            <Link className="link" href="/library">
              Library
            </Link>
          )
        }
      />
      {id === '' && <OwnedTabs here="Orders" />}
      {isElsewhere && one.isError && <NotAmongThem error={one.error} retry={() => void one.refetch()} />}
      {hasError ? (
        <ErrorState title="Couldn’t load the orders" onRetry={refetch} />
      ) : isPending || (isElsewhere && one.isPending) ? (
        <PageSkeleton outline="rows" />
      ) : order ? (
        <OrderView order={order} all={orders} />
      ) : (
        <OrderList
          orders={orders}
          left={total - orders.filter((order) => !isUnpaid(order)).length}
          readMore={readMore}
          isReadingMore={isReadingMore}
        />
      )}
    </div>
  )
}

function NotAmongThem({ error, retry }: { error: Error; retry: () => void }) {
  const isUnknown = error instanceof Failure && (error.status === 404 || error.status === 400)
  if (!isUnknown) return <ErrorState title="Couldn’t load this order" onRetry={retry} />
  return (
    <p className="card" role="alert">
      We couldn’t find that order in your account.
    </p>
  )
}

const LOOK_EVERY_MS = 5000

/** Polls while a pending order is on screen, with the cart and the credit that it may return. */
function useFreshWhilePending(orders: Order[]) {
  const isWaiting = orders.some(({ status }) => status === 'pending')
  const readAnew = useFreshOrders()
  const wasLive = useRef(false)
  const isFirstView = useIsFirstView()
  const refresh = useEffectEvent(() => {
    const isLive = live.read()
    // Reads once more when the change feed connects, because the feed does not repeat earlier changes.
    const isOld = !isFirstView && !(isLive && wasLive.current)
    if (isWaiting && isOld && document.visibilityState === 'visible') void readAnew()
    wasLive.current = isLive
  })
  useEffect(() => {
    refresh()
    const comeBack = () => refresh()
    document.addEventListener('visibilitychange', comeBack)
    const timer = setInterval(comeBack, LOOK_EVERY_MS)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      clearInterval(timer)
    }
  }, [])
}
