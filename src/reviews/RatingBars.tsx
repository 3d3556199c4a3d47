import type { StarCounts } from '../catalogue/catalogue.contract.ts'
import { averageOf, countOf } from './rating.rules.ts'

/** A product's mean rating and the number of reviews for each number of stars. */
export function RatingBars({ counts }: { counts: StarCounts }) {
  const all = countOf(counts)
  return (
    <div className="card ratings">
      <p>
        <span className="ratings__mean num">{averageOf(counts)}</span>
        <span className="muted small">of 5</span>
      </p>
      <dl aria-label="Ratings">
        {counts.toReversed().map((count, i) => (
          <div key={i} className="small num">
            <dt>
              {5 - i}
              <span className="sr"> stars</span>
            </dt>
            <dd className="ratings__bar" aria-hidden>
              <i style={{ width: `${(count / all) * 100}%` }} />
            </dd>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
