import { Check, Lock, Play } from 'lucide-react'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import type { CoursePart } from './learning.contract.ts'

const LOOKS: Record<CoursePart['look'], string> = { text: 'Text', audio: 'Audio', video: 'Video' }

export const lessonPath = (lineId: string, lessonId: string) => `/learn/${lineId}?lesson=${lessonId}`

export const describeLesson = ({ look, minutes }: Pick<CoursePart, 'look' | 'minutes'>) =>
  look === 'text' ? `Text, ${minutes} min` : LOOKS[look]

type LessonListProps = { parts: CoursePart[]; currentId: string | null; pathOf: (lessonId: string) => string }

export function LessonList({ parts, currentId, pathOf }: LessonListProps) {
  const numbers = new Map(parts.filter(({ isSection }) => !isSection).map(({ id }, i) => [id, i + 1]))
  return (
    <ol className="ticket__part lessons" aria-label="Lessons">
      {parts.map((part) => {
        const { id, isSection, title, isDone, opensAt } = part
        if (isSection)
          return (
            <li key={id}>
              <h3 className="lessons__section">{title}</h3>
            </li>
          )
        const isCurrent = id === currentId
        return (
          <li key={id}>
            <Link className="lesson" href={pathOf(id)} replace aria-current={isCurrent ? 'step' : undefined}>
              <span className={`lesson__dot ${isDone && !isCurrent ? 'lesson__dot--done' : ''}`}>
                {opensAt ? (
                  <Lock className="icon" aria-hidden />
                ) : isCurrent ? (
                  <Play className="icon" aria-hidden />
                ) : isDone ? (
                  <Check className="icon" aria-hidden />
                ) : (
                  numbers.get(id)
                )}
              </span>
              <span>
                {title}
                <small>
                  {opensAt ? `Opens on ${formatDay(opensAt)}` : describeLesson(part)}
                  {isDone && ', done'}
                </small>
              </span>
            </Link>
          </li>
        )
      })}
    </ol>
  )
}
