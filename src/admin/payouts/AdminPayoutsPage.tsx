import { useState } from 'react'
import { Segment } from '../../ui/form/Segment.tsx'
import type { Queue } from '../../payments/payouts/payouts.contract.ts'
import { StaffPage } from '../StaffPage.tsx'
import { Batches } from './Batches.tsx'
import { PayoutQueue } from './PayoutQueue.tsx'

type View = Queue | 'batches'

const views: { value: View; label: string }[] = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'underway', label: 'Under way' },
  { value: 'ended', label: 'Ended' },
  { value: 'batches', label: 'Batches' },
]

const abouts: Record<View, string> = {
  waiting: 'Approving sends the money: to PayPal at once, to banks by a file that you download under Batches.',
  underway: 'Approved and not confirmed yet. PayPal reports by itself; for banks, mark what your bank reports.',
  ended: 'Paid, failed and returned, newest first.',
  batches: 'What was approved together, newest first.',
}

export function AdminPayoutsPage() {
  const [view, setView] = useState<View>('waiting')
  return (
    <StaffPage title="Payouts" about={abouts[view]}>
      <Segment label="Show" options={views} value={view} onChange={setView} />
      {view === 'batches' ? <Batches /> : <PayoutQueue key={view} queue={view} />}
    </StaffPage>
  )
}
