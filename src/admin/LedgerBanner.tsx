import { useQuery } from '@tanstack/react-query'
import { listBreaches } from '../audit/breaches.contract.ts'
import { query } from '../kit/query/query.client.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Link } from '../ui/Link.tsx'

const POLL_MS = 60_000

export function LedgerBanner() {
  const { data: breaches = [] } = useQuery({ ...query(listBreaches, {}), refetchInterval: POLL_MS })
  if (breaches.length === 0) return null
  return (
    <p className="banner" role="alert">
      <strong className="grow">{plural(breaches.length, 'ledger rule')} broken: stop payouts.</strong>
      <Link className="text-link" href="/admin">
        Details
      </Link>
    </p>
  )
}
