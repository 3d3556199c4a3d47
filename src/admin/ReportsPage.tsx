import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import '../support/chat/chat.css'
import '../support/inbox/inbox.css'
import { CaseList } from '../moderation/CaseList.tsx'
import '../moderation/moderation.css'
import type { CaseState } from '../moderation/moderation.contract.ts'
import { useCases } from '../moderation/useCases.ts'
import { Button } from '../ui/Button.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useIsDesktop } from '../ui/useMatches.ts'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

const CasePane = lazyPart(() => import('../moderation/CasePane.tsx'), 'CasePane', <RowsSkeleton label="Loading" />)

const ReportedMessages = lazyPart(
  () => import('./messages/ReportedMessages.tsx'),
  'ReportedMessages',
  <RowsSkeleton label="Loading the reports" />,
)

const states: { value: CaseState | 'messages'; label: string }[] = [
  { value: 'waiting', label: 'Open' },
  { value: 'mine', label: 'Mine' },
  { value: 'closed', label: 'Closed' },
  { value: 'messages', label: 'Messages' },
]
const NONE = { waiting: 'No open reports', mine: 'You have taken no report', closed: 'Nothing closed yet' }

export function ReportsPage({ id }: { id: string }) {
  const [search, setSearch] = useSearchParams()
  const [state, setState] = useState<CaseState>('waiting')
  const isAboutMessages = id === '' && search.get('show') === 'messages'
  const choose = (
    <Segment
      label="Show"
      options={states}
      value={isAboutMessages ? 'messages' : state}
      onChange={(chosen) => {
        if (chosen !== 'messages') setState(chosen)
        setSearch(chosen === 'messages' ? { show: chosen } : {}, { replace: true })
      }}
    />
  )
  if (isAboutMessages)
    return (
      <StaffPage hasNav title="Reports" action={choose}>
        <ReportedMessages />
      </StaffPage>
    )
  return <Cases id={id} state={state} choose={choose} />
}

function Cases({ id, state, choose }: { id: string; state: CaseState; choose: ReactNode }) {
  const { items, total, isPending, hasError, refetch, readMore, isReadingMore } = useCases(state)
  const hasList = useIsDesktop() || id === ''
  return (
    <StaffPage
      hasNav={hasList}
      title="Reports"
      about={
        isPending || hasError ? undefined : `${total.toLocaleString('en')} ${state === 'closed' ? 'closed' : 'open'}`
      }
      action={hasList && choose}
    >
      {hasError ? (
        <ErrorState title="Couldn’t load the reports" onRetry={refetch} />
      ) : (
        <div className={`inbox inbox--case ${id ? 'is-open' : ''}`}>
          {isPending ? (
            <RowsSkeleton label="Loading the reports" list="inbox__list" row="conv" />
          ) : items.length > 0 ? (
            <CaseList
              cases={items}
              openId={id}
              more={
                readMore && (
                  <Button isBusy={isReadingMore} onClick={() => void readMore().catch(() => undefined)}>
                    Show more
                  </Button>
                )
              }
            />
          ) : (
            <div className="inbox__list">
              <EmptyState scene="receipt" title={NONE[state]} />
            </div>
          )}
          {id ? (
            <CasePane key={id} id={id} />
          ) : (
            <div className="inbox__thread inbox__thread--empty">
              <EmptyState scene="ticket" title="Choose a report" />
            </div>
          )}
        </div>
      )}
    </StaffPage>
  )
}
