import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Order } from '../../orders/orders.contract.ts'

type UnpaidOrdersProps = { orders: Order[]; asked: string; children: (order: Order) => ReactNode }

/** Orders whose payment was closed or canceled. The server forgets them after a day. */
export function UnpaidOrders({ orders, asked, children }: UnpaidOrdersProps) {
  const summary = useRef<HTMLElement>(null)
  const count = useRef(orders.length)
  useEffect(() => {
    // the order that was just canceled took the keyboard focus along
    if (orders.length > count.current && document.activeElement === document.body) summary.current?.focus()
    count.current = orders.length
  }, [orders.length])
  if (orders.length === 0) return null
  return (
    <details className="panel card" open={orders.some(({ id }) => id === asked)}>
      <summary ref={summary}>
        <span>
          Not paid <span className="muted small num">{orders.length} order(s), shown for a day</span>
        </span>
        <ChevronDown className="icon" aria-hidden />
      </summary>
      <ul className="orders orders--unpaid">
        {orders.map((order) => (
          <li key={order.id}>{children(order)}</li>
        ))}
      </ul>
    </details>
  )
}
