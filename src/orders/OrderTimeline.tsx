import { formatClock, formatDay, formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { type Step, timelineOf } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

/** The steps of an order, past and next, from left to right. */
export const OrderTimeline = ({ order }: { order: Order }) => (
  <ol className="timeline">
    {timelineOf(order).map(({ name, at, isDone, cents }, i, steps) => (
      <li key={name + at} className={isDone ? '' : 'is-next'}>
        {name}
        {cents !== undefined && ` ${usd(cents)}`}
        {at ? (
          <small>
            <time dateTime={at}>{formatAfter(at, steps[i - 1])}</time>
          </small>
        ) : (
          <small>{isDone ? '' : 'to come'}</small>
        )}
      </li>
    ))}
  </ol>
)

/** On the day of the previous step, the time alone. */
function formatAfter(at: string, before: Step | undefined): string {
  const isSameDay = before?.at && formatDay(before.at) === formatDay(at)
  return isSameDay ? formatClock(Date.parse(at)) : formatMoment(at)
}
