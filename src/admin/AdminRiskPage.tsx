import { useState } from 'react'
import { useSession } from '../identity/sessions/useSession.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

const RiskQueue = lazyPart(() => import('../risk/RiskQueue.tsx'), 'RiskQueue', <RowsSkeleton label="Loading" />)
const RiskBlocks = lazyPart(() => import('../risk/RiskBlocks.tsx'), 'RiskBlocks', <Skeleton height="3.5rem" />)
const RiskWeights = lazyPart(() => import('../risk/RiskWeights.tsx'), 'RiskWeights', <Skeleton height="3.5rem" />)

type View = 'open' | 'decided' | 'blocks' | 'weights'

const views: { value: View; label: string }[] = [
  { value: 'open', label: 'Waiting' },
  { value: 'decided', label: 'Decided' },
  { value: 'blocks', label: 'Paused' },
  { value: 'weights', label: 'Weights' },
]

const abouts: Record<View, string> = {
  open: 'Paid, but not delivered until someone reviews it. Anything not reviewed within 24 hours is refunded.',
  decided: 'Recent decisions.',
  blocks: 'Accounts and networks that can’t pay for now. Every pause ends automatically.',
  weights: 'How much each signal counts toward a score from 0 to 100.',
}

export function AdminRiskPage() {
  const [view, setView] = useState<View>('open')
  const { user } = useSession()
  return (
    <StaffPage title="Risk" about={abouts[view]}>
      <Segment
        label="Show"
        options={views.filter(({ value }) => value !== 'weights' || user?.isAdmin)}
        value={view}
        onChange={setView}
      />
      {view === 'blocks' ? (
        <RiskBlocks />
      ) : view === 'weights' ? (
        <RiskWeights />
      ) : (
        <RiskQueue key={view} state={view} />
      )}
    </StaffPage>
  )
}
