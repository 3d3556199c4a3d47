import { useQuery } from '@tanstack/react-query'
import { signedCents, toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { Pair } from '../../ui/Pair.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { getTotals, TOTALS_DAYS } from './waiting.contract.ts'

export function ShopTotals() {
  const { data, isError, refetch } = useQuery({ ...query(getTotals, {}), refetchOnMount: 'always' })
  return (
    <section className="section" aria-labelledby="totals">
      <h2 id="totals">Last {TOTALS_DAYS} days</h2>
      {data ? (
        <dl className="card card--pairs pairs">
          <Pair name="Sales" value={`${usd(toCents(data.revenue))} in ${plural(data.orders, 'order')}`} />
          <Pair name="Refunded of these" value={usd(toCents(data.refunded))} />
          <Pair name="Fees" value={usd(toCents(data.fees))} />
          <Pair name="Fees of payment providers" value={signedUsd(signedCents(data.costs))} />
          <Pair name="New members" value={data.newMembers.toLocaleString('en')} />
        </dl>
      ) : isError ? (
        <ErrorState title="Couldn’t load the totals" onRetry={() => void refetch()} />
      ) : (
        <Skeleton height="9rem" />
      )}
    </section>
  )
}
