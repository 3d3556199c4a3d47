import { toastFailure } from '../../identity/toastFailure.client.ts'
import { useCart } from '../../cart/useCart.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { isUnpaid } from '../../purchases/order.rules.ts'
import { OrderCard } from '../../purchases/OrderCard.tsx'
import type { Order } from '../../purchases/orders.contract.ts'
import { whyFailed } from '../../purchases/whyFailed.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { BrowseProducts } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { DECLINED, OrderAction, TimeLeft } from '../../aftersale/order/OrderAction.tsx'

const UnpaidOrders = lazyPart(() => import('./UnpaidOrders.tsx'), 'UnpaidOrders')
const HoldNotice = lazyPart(() => import('./HoldNotice.tsx'), 'HoldNotice')

type OrderListProps = {
  orders: Order[]
  /** The number of orders not loaded yet. */
  left: number
  readMore: (() => Promise<unknown>) | null
  isReadingMore: boolean
}

export function OrderList({ orders: all, left, readMore, isReadingMore }: OrderListProps) {
  const cart = useCart().items.map(({ productId }) => productId)
  const orders = all.filter((order) => !isUnpaid(order))
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more orders. Please try again.'),
  )
  return (
    <>
      {orders.length === 0 && (
        <EmptyState scene="ticket" title="No orders yet" action={<BrowseProducts />}>
          Start shopping to see your orders here
        </EmptyState>
      )}
      <ul ref={list} className="orders">
        {orders.map((order) => (
          <li key={order.id} data-order={order.id}>
            <OrderCard
              order={order}
              action={<OrderAction order={order} />}
              notice={order.hold && <HoldNotice orderId={order.id} hold={order.hold} />}
              note={<TimeLeft order={order} />}
              why={order.declinedAt ? DECLINED : whyFailed(order, cart)}
            />
          </li>
        ))}
      </ul>
      <UnpaidOrders orders={all.filter(isUnpaid)}>
        {(order) => <OrderCard order={order} why={whyFailed(order, cart)} />}
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
