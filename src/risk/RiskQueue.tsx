import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isolateRtl } from '../kit/bidi/isolate.rules.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { toCents } from '../kit/money.ts'
import { readList } from '../kit/query/list.client.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { useNow } from '../kit/useNow.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  approveCase,
  CASES_AT_ONCE,
  listRiskCases,
  MAX_CASES,
  refuseCase,
  type RiskCase,
} from './riskReview.contract.ts'
import { RiskReasons } from './RiskReasons.tsx'
import { describeFacts, RESOLVED, timeLeft } from './riskReview.rules.ts'

const LOOK_EVERY_MS = 15_000
const ConfirmDecision = lazyDialog(() => import('./ConfirmDecision.tsx'), 'ConfirmDecision')

type DecideInput = { held: RiskCase; isApproved: boolean; isOpen: boolean }

export function RiskQueue({ state }: { state: 'open' | 'decided' }) {
  const { data, isError, isPlaceholderData, refetch, decide, showMore } = useCases(state)
  const [asked, setAsked] = useState<DecideInput | null>(null)
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

function useCases(state: 'open' | 'decided') {
  const cache = useQueryClient()
  const [limit, setLimit] = useState(CASES_AT_ONCE)
  const queryKey = keyOf(listRiskCases, { state, limit })
  const cases = useQuery({
    queryKey,
    queryFn: ({ signal }) => readList(listRiskCases, { state, limit }, signal),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  })
  const refresh = () => cache.invalidateQueries({ queryKey: [queryKey[0]] })
  const showMore = limit < MAX_CASES ? () => setLimit(Math.min(MAX_CASES, limit + CASES_AT_ONCE)) : null
  const decide = useMutation({
    mutationFn: ({ orderId, isApproved }: { orderId: string; isApproved: boolean }) =>
      call(isApproved ? approveCase : refuseCase, { orderId }),
    onSuccess: async (_, { isApproved }) => {
      await refresh()
      toast({
        title: isApproved ? 'Released' : 'Refused',
        description: isApproved
          ? 'The order will be delivered in a moment.'
          : 'All of the money goes back to its buyer.',
      })
    },
    onError: async (error) => {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the decision. Please try again.')
      await refresh()
    },
  })
  return { ...cases, decide, showMore }
}

type RiskCaseCardProps = { held: RiskCase; now: number; onDecide: (isApproved: boolean) => void }

function RiskCaseCard({ held, now, onDecide }: RiskCaseCardProps) {
  const { orderId, buyer, total, lines, score, reasons, facts, createdAt, endsAt, resolvedHow } = held
  const short = orderId.slice(-8)
  return (
    <article className="card stack" aria-label={`Order ${short}`}>
      <div className="row row--top row--between">
        <div className="grow wrap-anywhere">
          <h2 className="text-16">{buyer}</h2>
          <p className="muted small">
            <Link className="text-link" href={`/admin/orders/${orderId}`}>
              Order #<span className="mono">{short}</span>
            </Link>{' '}
            · {formatMoment(createdAt)}
          </p>
        </div>
        <strong className="money">{usd(toCents(total))}</strong>
      </div>
      <p className="small wrap-anywhere">
        {lines.map(({ title, quantity }) => isolateRtl(quantity > 1 ? `${quantity} × ${title}` : title)).join(', ')}
      </p>
      <RiskReasons isPassed={false} verdict={`Score ${score}`} reasons={reasons} />
      <details className="panel">
        <summary>
          All facts
          <ChevronDown className="icon icon--sm" aria-hidden />
        </summary>
        <dl className="pairs">
          {describeFacts(facts).map(([name, value]) => (
            <Pair key={name} name={name} value={value} />
          ))}
        </dl>
      </details>
      {resolvedHow ? (
        <p className="muted small">{RESOLVED[resolvedHow]}.</p>
      ) : (
        <>
          <p className="muted small num">
            Goes back to its buyer by itself in {timeLeft(Date.parse(endsAt) - now)} ({formatMoment(endsAt)}).
          </p>
          <div className="row">
            <Button tone="primary" icon={<Check className="icon" aria-hidden />} onClick={() => onDecide(true)}>
              Approve
            </Button>
            <Button tone="bad-line" icon={<Undo2 className="icon" aria-hidden />} onClick={() => onDecide(false)}>
              Refuse
            </Button>
          </div>
        </>
      )}
    </article>
  )
}
