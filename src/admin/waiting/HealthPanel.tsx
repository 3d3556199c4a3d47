import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { listBreaches } from '../../audit/breaches.contract.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isAllowed } from '../../kit/contract.ts'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { useReadiness } from '../../monitoring/health/useReadiness.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const SHOWN_BREACHES = 5

/** The parts of the shop that need attention, and for finance the broken rules of the ledger. */
export function HealthPanel() {
  const isFinance = isAllowed('finance', useSession().user?.role ?? 'member')
  const { data: breaches } = useQuery({ ...query(listBreaches, {}), enabled: isFinance })
  const readiness = useReadiness()
  if (!readiness) return <Skeleton height="5rem" />
  const { parts } = readiness
  const faults = parts.length + (breaches?.length ?? 0)
  return (
    <section className="card stack" aria-labelledby="health">
      <div className="row row--between">
        <h2 id="health" className="text-18">
          Health
        </h2>
        {faults === 0 ? (
          <Badge look="completed" icon={<CircleCheck className="icon" aria-hidden />}>
            All well
          </Badge>
        ) : (
          <Badge look="pending" icon={<TriangleAlert className="icon" aria-hidden />}>
            {faults === 1 ? '1 part needs attention' : `${faults} parts need attention`}
          </Badge>
        )}
      </div>
      <ul className="health wrap-anywhere">
        {isFinance && breaches?.length === 0 && <li>Money: all accounts agree to the cent</li>}
        {breaches?.slice(0, SHOWN_BREACHES).map(({ id, rule, violation }) => (
          <li key={id} className="health__bad">
            {rule}: {violation}
          </li>
        ))}
        {breaches && breaches.length > SHOWN_BREACHES && (
          <li>{plural(breaches.length - SHOWN_BREACHES, 'more broken rule')} of the ledger</li>
        )}
        {parts.map(({ name, state, mend }) => (
          <li key={name}>
            {name}: {state}
            {mend && `. ${mend.charAt(0).toUpperCase()}${mend.slice(1)}.`}
          </li>
        ))}
      </ul>
    </section>
  )
}
