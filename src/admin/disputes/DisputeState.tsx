import { serverNow } from '../../kit/clock/clock.client.ts'
import type { ListedDispute } from '../../checkout/disputes/dispute.contract.ts'
import { Badge } from '../../ui/Badge.tsx'

const STATES = {
  needs_evidence: ['pending', 'Needs an answer'],
  under_review: ['setup', 'Under review'],
  won: ['active', 'Won'],
  lost: ['failed', 'Lost'],
} as const

export function DisputeState({
  dispute: { state, sentAt, dueAt, missingSince },
}: {
  dispute: Pick<ListedDispute, 'state' | 'sentAt' | 'dueAt' | 'missingSince'>
}) {
  const isLate = state === 'needs_evidence' && !sentAt && dueAt !== null && Date.parse(dueAt) < serverNow()
  const [look, name] = missingSince
    ? (['failed', 'Forgotten there'] as const)
    : isLate
      ? (['failed', 'Overdue'] as const)
      : STATES[state]
  return <Badge look={look}>{name}</Badge>
}
