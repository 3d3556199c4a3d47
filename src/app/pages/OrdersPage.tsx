import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useFreshWhilePending } from '../../aftersale/order/useFreshWhilePending.ts'
import { OwnedTabs } from '../../delivery/library/OwnedTabs.tsx'
import { isUnpaid } from '../../purchases/order.rules.ts'
import { ordersQuery } from '../../purchases/orders.query.client.ts'
import { useOrders } from '../../purchases/useOrders.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { PageSkeleton, SellingOutline } from '../shell/lazyPage.tsx'
import { OrderList } from './OrderList.tsx'

export const firstView = () => [ordersQuery]

const SalesPage = lazyPart(
  () => import('../../selling/sales/SalesPage.tsx'),
  'SalesPage',
  <SellingOutline height="24rem" />,
)

/** `notice` appears above the list. */
export function OrdersPage({ notice }: { id?: string; notice?: ReactNode }) {
  const [search] = useSearchParams()
  return search.get('tab') === 'sales' ? <SalesPage /> : <Bought notice={notice} />
}

function Bought({ notice }: { notice: ReactNode }) {
  const { orders, total, isPending, hasError, refetch, readMore, isReadingMore } = useOrders()
  useFreshWhilePending(orders)
  return (
    <div className="section gap-5">
      <PageHead title="My Orders" about={isPending || hasError ? undefined : `${total} order(s)`} />
      <OwnedTabs here="Orders" />
      {notice}
      {hasError ? (
        <ErrorState title="Couldn’t load the orders" onRetry={refetch} />
      ) : isPending ? (
        <PageSkeleton outline="rows" />
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
