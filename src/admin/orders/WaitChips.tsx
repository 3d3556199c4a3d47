import { useWaitingByKind } from '../waiting/useWaiting.ts'
import type { WaitingKind } from '../waiting/waiting.contract.ts'
import { type Wait, WAITS } from './adminOrders.contract.ts'
import { WAIT_TEXTS } from './orderWords.rules.ts'

/** The open work of staff behind a filter, for its count. */
const KINDS: Partial<Record<Wait, WaitingKind>> = {
  'refund-requested': 'refundRequests',
  'waits-for-approval': 'refundApprovals',
  held: 'riskHolds',
  'dispute-to-answer': 'disputes',
  'bad-code': 'codeCases',
}

type WaitChipsProps = { chosen: Wait | undefined; onChoose: (wait: Wait | null) => void }

/** Filters by what orders wait for. A second press ends the filter. */
export function WaitChips({ chosen, onChoose }: WaitChipsProps) {
  const counts = useWaitingByKind()
  const countOf = (wait: Wait) => {
    const kind = KINDS[wait]
    return kind === undefined ? 0 : (counts.get(kind) ?? 0)
  }
  return (
    <div className="chips" role="group" aria-label="Waits for">
      {WAITS.map((wait) => (
        <button
          key={wait}
          type="button"
          className="chip"
          aria-pressed={wait === chosen}
          onClick={() => onChoose(wait === chosen ? null : wait)}
        >
          {WAIT_TEXTS[wait]}
          {countOf(wait) > 0 && ` (${countOf(wait)})`}
        </button>
      ))}
    </div>
  )
}
