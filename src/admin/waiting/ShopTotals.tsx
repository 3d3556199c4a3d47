import { useQuery } from '@tanstack/react-query'
import { signedCents, toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { getTotals, type Totals } from './waiting.contract.ts'

const POLL_MS = 60_000

export function ShopTotals() {
  const { data, isError, refetch } = useQuery({
    ...query(getTotals, {}),
    refetchInterval: POLL_MS,
    refetchOnMount: 'always',
  })
  return (
    <section className="section" aria-labelledby="totals">
      <h2 id="totals">Today</h2>
      {data ? (
        <Figures totals={data} />
      ) : isError ? (
        <ErrorState title="Couldn’t load the totals" onRetry={() => void refetch()} />
      ) : (
        <Skeleton height="14rem" />
      )}
    </section>
  )
}

function Figures({ totals: { today, week } }: { totals: Totals }) {
  const money = (decimal: string) => usd(toCents(decimal))
  return (
    <div className="totals">
      <Figure
        name="Revenue"
        value={money(today.revenue)}
        about={`${plural(today.sales, 'sale')}. ${money(week.revenue)} in 7 days`}
      />
      <Figure name="Fees" value={money(today.fees)} about={`${money(week.fees)} in 7 days`} />
      <Figure
        name="Refunded of these sales"
        value={money(today.refunded)}
        about={`${money(week.refunded)} in 7 days`}
      />
      <Figure
        name="New members"
        value={today.newMembers.toLocaleString('en')}
        about={`${week.newMembers.toLocaleString('en')} in 7 days`}
      />
      <p className="muted small">
        Payment providers took {signedUsd(signedCents(week.costs))} in 7 days. Days begin at midnight UTC.
      </p>
    </div>
  )
}

const Figure = ({ name, value, about }: { name: string; value: string; about: string }) => (
  <Ticket>
    <TicketPart>
      <p className="muted small">{name}</p>
      <p className="totals__sum">{value}</p>
    </TicketPart>
    <TicketPart className="totals__about">
      <p className="muted small num">{about}</p>
    </TicketPart>
  </Ticket>
)
