import type { ListedDispute } from '../../aftersale/disputes/dispute.contract.ts'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { ageOf } from '../waiting/age.rules.ts'

type TimeLeftProps = { dispute: Pick<ListedDispute, 'state' | 'sentAt' | 'dueAt' | 'missingSince' | 'openedAt'> }

/** ' · 3 days left' after the deadline of a dispute that the store must answer. */
export function TimeLeft({ dispute: { state, sentAt, dueAt, missingSince, openedAt } }: TimeLeftProps) {
  if (state !== 'needs_evidence' || sentAt || missingSince || !dueAt) return null
  const { text, isLate } = ageOf({ since: openedAt, dueAt }, serverNow())
  return (
    <>
      {' · '}
      <span className={isLate ? 'open-item__late' : undefined}>{text}</span>
    </>
  )
}
