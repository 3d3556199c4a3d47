import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query/query.client.ts'
import { listBreaches } from '../audit/breaches.contract.ts'
import { plural } from '../localisation/plural.rules.ts'

const LOOK_EVERY_MS = 60_000
const SHOWN = 5

export function LedgerBanner() {
  const { data: breaches = [] } = useQuery({ ...query(listBreaches, {}), refetchInterval: LOOK_EVERY_MS })
  if (breaches.length === 0) return null
  return (
    <section className="card stack gap-2" role="alert" aria-label="Broken ledger rules">
      <strong>The books break {plural(breaches.length, 'rule')}. Stop payouts until you know why.</strong>
      <ul className="small wrap-anywhere">
        {breaches.slice(0, SHOWN).map(({ id, rule, violation }) => (
          <li key={id}>
            {rule}: {violation}
          </li>
        ))}
      </ul>
      <p className="muted small">
        {breaches.length > SHOWN && `${breaches.length - SHOWN} more. `}
        <code>npm run shop -- ledger</code> checks everything again. This goes away when the next check finds it mended.
      </p>
    </section>
  )
}
