import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { listWaits, type Wait, WAITS } from './adminOrders.contract.ts'
import { WAIT_TEXTS } from './orderWords.rules.ts'

const POLL_MS = 60_000

type WaitChipsProps = { chosen: Wait | undefined; onChoose: (wait: Wait | null) => void }

/** Filters by what orders wait for. A second press ends the filter. The chips work without their counts. */
export function WaitChips({ chosen, onChoose }: WaitChipsProps) {
  const { data = [] } = useQuery({ ...query(listWaits, {}), refetchInterval: POLL_MS, refetchOnMount: 'always' })
  const counts = new Map(data.map(({ wait, count }) => [wait, count]))
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
          {counts.has(wait) && ` (${counts.get(wait)})`}
        </button>
      ))}
    </div>
  )
}
