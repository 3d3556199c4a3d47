import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isAllowed } from '../../kit/contract.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { useReadiness } from '../../monitoring/health/useReadiness.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useBreaches } from '../useBreaches.ts'
import { badgeOf } from './health.rules.ts'

const SHOWN_BREACHES = 5

/** The parts of the shop that need attention, and for finance the broken rules of the ledger. */
export function HealthPanel() {
  const isFinance = isAllowed('finance', useSession().user?.role ?? 'member')
  const ledger = useBreaches(isFinance)
  const readiness = useReadiness()
  const breaches = ledger.data ?? []
  const parts = readiness?.parts ?? []
  const isLedgerKnown = !isFinance || ledger.isSuccess || breaches.length > 0
  const badge = badgeOf(readiness?.parts.length, isLedgerKnown ? breaches.length : undefined)
  return (
    <section id="health" className="card stack" aria-labelledby="health-title">
      <div className="row row--between">
        <h2 id="health-title" className="text-18">
          Health
        </h2>
        {badge && (
          <Badge
            look={badge.look}
            icon={
              badge.look === 'completed' ? (
                <CircleCheck className="icon" aria-hidden />
              ) : (
                <TriangleAlert className="icon" aria-hidden />
              )
            }
          >
            {badge.text}
          </Badge>
        )}
      </div>
      {ledger.isError && (
        <div className="row row--wrap" role="alert">
          <span className="grow small health__bad">Couldn’t load the check of the ledger</span>
          <Button isBusy={ledger.isFetching} onClick={() => void ledger.refetch()}>
            Try again
          </Button>
        </div>
      )}
      <ul className="health wrap-anywhere">
        {isFinance && ledger.isSuccess && breaches.length === 0 && <li>Money: all accounts agree to the cent</li>}
        {breaches.slice(0, SHOWN_BREACHES).map(({ id, rule, violation }) => (
          <li key={id} className="health__bad">
            {rule}: {violation}
          </li>
        ))}
        {breaches.length > SHOWN_BREACHES && (
          <li>{plural(breaches.length - SHOWN_BREACHES, 'more broken rule')} of the ledger</li>
        )}
        {parts.map(({ name, state, mend }) => (
          <li key={name}>
            {name}: {state}
            {mend && `. ${mend.charAt(0).toUpperCase()}${mend.slice(1)}.`}
          </li>
        ))}
      </ul>
      {(!readiness || (isFinance && ledger.isPending)) && <Skeleton height="1.25rem" />}
    </section>
  )
}
