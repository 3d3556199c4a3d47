import { serverNow } from '../../kit/clock/clock.client.ts'
import type { ListedDispute } from '../../aftersale/disputes/dispute.contract.ts'
import { Badge } from '../../ui/Badge.tsx'

const STATES = {
  needs_evidence: ['pending', 'Needs an answer'],
  under_review: ['setup', 'Under review'],
  won: ['active', 'Won'],
  lost: ['failed', 'Lost'],
} as const

export function DisputeState({
  dispute: { state, stage, sentAt, dueAt, missingSince, lost, amount },
}: {
  dispute: Pick<ListedDispute, 'state' | 'sentAt' | 'dueAt' | 'missingSince'> &
    Partial<Pick<ListedDispute, 'stage' | 'lost' | 'amount'>>
}) {
  const isLate = state === 'needs_evidence' && !sentAt && dueAt !== null && Date.parse(dueAt) < serverNow()
  const [look, name] = missingSince
    ? (['failed', 'No outcome'] as const)
    : isLate
      ? (['failed', 'Overdue'] as const)
      : state === 'needs_evidence' && stage && stage !== 'claim'
        ? (['pending', stage === 'inquiry' ? 'Inquiry' : 'Bank asks'] as const)
        : state === 'lost' && lost && lost !== amount
          ? (['failed', 'Lost in part'] as const)
          : STATES[state]
  return <Badge look={look}>{name}</Badge>
}
