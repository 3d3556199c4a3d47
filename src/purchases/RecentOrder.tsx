import { isUnpaid } from './order.rules.ts'
import { OrderCard } from './OrderCard.tsx'
import { useOrders } from './useOrders.ts'
import { Link } from '../ui/Link.tsx'

export function RecentOrder() {
  const { orders } = useOrders()
  const order = orders.find((each) => !isUnpaid(each))
  if (!order) return null
  return (
    <section className="section" aria-labelledby="recent">
      <div className="section__head">
        <h2 id="recent">Recent Orders</h2>
        <Link className="link" href="/orders">
          See All
        </Link>
      </div>
      <OrderCard order={order} level={3} />
    </section>
  )
}
