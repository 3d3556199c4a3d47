import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNow } from '../../kit/useNow.ts'
import { plural } from '../../localisation/plural.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'

type UnpaidOrdersProps = { orders: Order[]; children: (order: Order) => ReactNode }

const DAY_MS = 86_400_000

/** Orders whose payment was closed or canceled. The server deletes them after a day. */
export function UnpaidOrders({ orders, children }: UnpaidOrdersProps) {
  const summary = useRef<HTMLElement>(null)
  const count = useRef(orders.length)
  useEffect(() => {
    // Canceling an order removed the focused button.
    if (orders.length > count.current && document.activeElement === document.body) summary.current?.focus()
    count.current = orders.length
  }, [orders.length])
  const now = useNow(60_000)
  if (orders.length === 0) return null
  const isForADay = orders.every(({ events }) => now - Date.parse(events.at(-1)!.at) < DAY_MS)
  return (
    <details className="panel card">
      <summary ref={summary}>
        <span>
          Not paid{' '}
          <span className="muted small num">
            {plural(orders.length, 'order')}
            {isForADay && ', shown for a day'}
          </span>
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
