import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { toCents } from '../../kit/money.ts'
import { shortId } from '../../orders/number.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Link } from '../../ui/Link.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { aboutCustomer, type Thread } from './inbox.contract.ts'

export function CustomerPane({ customer }: { customer: Thread['customer'] }) {
  const { data, isError, refetch } = useQuery({
    ...query(aboutCustomer, { userId: customer.userId }),
    refetchOnMount: 'always',
  })
  if (isError && !data) return <ErrorState title="Couldn’t load the customer" onRetry={refetch} />
  const facts: [name: string, value: string | undefined][] = [
    ['Joined', formatDay(customer.joinedAt)],
    ['Total Orders', data && String(data.orders)],
    ['Total Spent', data && usd(toCents(data.spent))],
    ['Store Credit', data && usd(toCents(data.credit))],
    ['Last purchase risk', data && (data.risk === null ? 'None yet' : `${data.risk} of 100`)],
  ]
  return (
    <>
      <dl className="pairs">
        {facts.map(([name, value]) => (
          <Pair key={name} name={name} value={value ?? <Skeleton height="1rem" width="4rem" />} />
        ))}
      </dl>
      {data && data.latest.length > 0 && (
        <section className="stack">
          <h3>Latest orders</h3>
          <ul className="stack">
            {data.latest.map(({ id, status, total, createdAt }) => (
              <li key={id} className="inbox__order">
                <Link className="mono text-link" href={`/admin/orders/${id}`} aria-label={`Order ${shortId(id)}`}>
                  #{shortId(id)}
                </Link>
                <span className="money">{usd(toCents(total))}</span>
                <StatusBadge status={status} />
                <time className="muted small num" dateTime={createdAt}>
                  {formatDay(createdAt)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
