import type { LessonSummary } from '../../catalogue/catalogue.contract.ts'
import { drawnAt } from '../../kit/drawn.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { describeOpening, openingLater } from './lessonDates.rules.ts'

const MAX_SHOWN = 3

/** When the lessons of a course open, before the purchase. */
export function LessonDates({ lessons }: { lessons: LessonSummary }) {
  const { count } = lessons
  const later = openingLater(lessons, new Date(drawnAt()).toISOString().slice(0, 10))
  if (count === 0) return null
  if (later.length === 0)
    return <p className="muted small">{count === 1 ? 'Its lesson opens' : `All ${count} lessons open`} at once.</p>
  return (
    <div>
      <p className="muted small">
        {later.length < count ? `${plural(count - later.length, 'lesson')} at once, then:` : 'The lessons open later:'}
      </p>
      <dl className="pairs">
        {later.slice(0, MAX_SHOWN).map(({ title, ...opening }, i) => (
          <div key={i}>
            <dt>
              <bdi>{title}</bdi>
            </dt>
            <dd>{describeOpening({ title, ...opening })}</dd>
          </div>
        ))}
      </dl>
      {later.length > MAX_SHOWN && (
        <p className="muted small">{plural(later.length - MAX_SHOWN, 'more lesson')} later, listed below.</p>
      )}
    </div>
  )
}
