import './codeShares.css'
import type { CodeStock } from './stock.contract.ts'
import { describePercent, describeShares, sharesOf, STATE_NAMES } from './stock.texts.rules.ts'

/** One bar with the shares of the states. Without codes, nothing. */
export function CodeShares({ counts }: { counts: CodeStock['counts'] }) {
  const shares = sharesOf(counts)
  if (shares.length === 0) return null
  return (
    <div className="stack gap-2">
      <div className="shares" role="img" aria-label={describeShares(counts)}>
        {shares.map(({ state, count }) => (
          <i key={state} data-state={state} style={{ flexGrow: count }} />
        ))}
      </div>
      {/* the label of the bar contains the same */}
      <ul className="shares__legend small" aria-hidden>
        {shares.map(({ state, share }) => (
          <li key={state}>
            <i data-state={state} />
            {STATE_NAMES[state]} <span className="muted num">{describePercent(share)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
