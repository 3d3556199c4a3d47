import { useState } from 'react'
import { useNow } from '../kit/useNow.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { RiskCaseCard } from './RiskCaseCard.tsx'
import type { RiskCase } from './riskReview.contract.ts'
import { useCases } from './useRiskReview.ts'

const ConfirmDecision = lazyDialog(() => import('./ConfirmDecision.tsx'), 'ConfirmDecision')

type Asked = { held: RiskCase; isApproved: boolean; isOpen: boolean }

/** Open cases, most urgent first, or the most recent decisions. */
export function RiskQueue({ state }: { state: 'open' | 'decided' }) {
  const { data, isError, isPlaceholderData, refetch, decide, showMore } = useCases(state)
  const [asked, setAsked] = useState<Asked | null>(null)
  const now = useNow(15_000)
  if (isError && !data) return <ErrorState title="Couldn’t load the held orders" onRetry={refetch} />
  if (!data) return <Loading />
  const { items, total } = data
  if (items.length === 0)
    return (
      <EmptyState scene="receipt" title={state === 'open' ? 'Nothing waiting' : 'Nothing has been decided yet'}>
        {state === 'open' && 'No purchases are waiting for review.'}
      </EmptyState>
    )
  const close = () => setAsked(asked && { ...asked, isOpen: false })
  const decideNow = () => {
    if (!asked) return
    decide.mutate({ orderId: asked.held.orderId, isApproved: asked.isApproved })
    close()
  }
  return (
    <>
      <ul className="stack gap-4">
        {items.map((held) => (
          <li key={held.orderId}>
            <RiskCaseCard
              held={held}
              now={now}
              onDecide={(isApproved) => setAsked({ held, isApproved, isOpen: true })}
            />
          </li>
        ))}
      </ul>
      {items.length < total && (
        <div className="row">
          {showMore && (
            <Button isBusy={isPlaceholderData} onClick={showMore}>
              Show more
            </Button>
          )}
          <span className="muted small num" role="status">
            {items.length} of {total.toLocaleString('en')}
            {state === 'open' && ', the most urgent first'}
          </span>
        </div>
      )}
      {asked && <ConfirmDecision {...asked} onClose={close} onConfirm={decideNow} />}
    </>
  )
}

const Loading = () => (
  <div className="stack gap-4" role="status" aria-label="Loading the held orders">
    {[0, 1].map((i) => (
      <div key={i} className="card stack">
        <Skeleton height="1.25rem" width="60%" />
        <Skeleton height="1rem" width="40%" />
        <Skeleton height="1.5rem" width="80%" />
        <Skeleton height="2.75rem" />
      </div>
    ))}
  </div>
)
