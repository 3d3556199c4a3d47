import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { StaffThreads } from './StaffThreads.tsx'

export const ReportedMessages = () => (
  <div className="stack">
    <StaffThreads about={{ show: 'reported' }} none={<EmptyState scene="receipt" title="No reported messages" />} />
  </div>
)
