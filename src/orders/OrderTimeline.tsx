import { formatMoment } from '../localisation/dates.rules.ts'
import { timelineOf } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

/** What happened to an order and what comes next, from left to right. */
export const OrderTimeline = ({ order }: { order: Order }) => (
  <ol className="timeline">
    {timelineOf(order).map(({ name, at, isDone }) => (
      <li key={name + at} className={isDone ? '' : 'is-next'}>
        {name}
        {at ? (
          <small>
            <time dateTime={at}>{formatMoment(at)}</time>
          </small>
        ) : (
          <small>{isDone ? '' : 'to come'}</small>
        )}
      </li>
    ))}
  </ol>
)
