import { STAFF_REASONS } from '../../orders/reasons.rules.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import type { OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'

const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDay(at)}>
    {formatMoment(at)}
  </time>
)

export const OrderHistory = ({ events, ...mails }: Pick<OrderFile, 'events' | 'mails' | 'areMailsSent'>) => (
  <>
    <OrderEvents events={events} />
    <OrderMails {...mails} />
  </>
)

const OrderEvents = ({ events }: Pick<OrderFile, 'events'>) => (
  <OrderPart title="Timeline">
    <ol className="list">
      {events.map(({ status, code, reason, at }, i) => (
        <li key={i} className="list__row">
          <span className="stack gap-1">
            <span className="row gap-2 wrap-anywhere">
              <StatusBadge status={status} /> {reason ?? STAFF_REASONS[code]}
            </span>
            <small>
              <When at={at} />
            </small>
          </span>
        </li>
      ))}
    </ol>
  </OrderPart>
)

function OrderMails({ mails, areMailsSent }: Pick<OrderFile, 'mails' | 'areMailsSent'>) {
  const waits = areMailsSent ? 'Queued, not sent yet' : 'Kept, as no mail server is set'
  return (
    mails.length > 0 && (
      <OrderPart title="Mails">
        <ul className="list">
          {mails.map(({ subject, at, sentAt, isRefused }) => (
            <li key={at + subject} className="list__row">
              <span className="grow wrap-anywhere">
                {subject}
                <small>
                  {isRefused ? 'Rejected by the mailbox' : sentAt ? 'Sent' : waits} · <When at={sentAt ?? at} />
                </small>
              </span>
            </li>
          ))}
        </ul>
      </OrderPart>
    )
  )
}
