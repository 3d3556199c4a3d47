import { useQuery } from '@tanstack/react-query'
import { countDisputes } from '../../aftersale/disputes/dispute.contract.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Link } from '../../ui/Link.tsx'

const LOOK_EVERY_MS = 60_000

export function DisputeBanner() {
  const { data } = useQuery({ ...query(countDisputes, {}), refetchInterval: LOOK_EVERY_MS })
  if (!data || data.toAnswer + data.toSettle === 0) return null
  const { toAnswer, toSettle, nextDueAt } = data
  return (
    <section className="card row row--between" role="alert" aria-label="Disputes that wait for you">
      <span className="grow">
        {toAnswer > 0 && (
          <strong>
            {plural(toAnswer, 'dispute')} to answer{nextDueAt && `, the next by ${formatDay(nextDueAt)}`}.{' '}
          </strong>
        )}
        {toSettle > 0 && <strong>{plural(toSettle, 'dispute')} without a result: enter the outcome.</strong>}
      </span>
      <Link className="text-link" href="/admin/disputes">
        Open the disputes
      </Link>
    </section>
  )
}
