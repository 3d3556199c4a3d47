import '../../reading/player.css'
import '../learn.css'
import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { query } from '../../../kit/query/query.client.ts'
import { plural } from '../../../localisation/plural.rules.ts'
import { Note } from '../../../ui/Note.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { Ticket, TicketPart } from '../../../ui/Ticket.tsx'
import { CourseFrame, CourseHead } from '../frame/CourseFrame.tsx'
import { LessonList } from '../LessonList.tsx'
import { lessonsOf } from '../progress.rules.ts'
import { getOwnCourse, type OwnCourse } from './ownCourse.contract.ts'
import { ownCoursePath } from './ownCourse.rules.ts'
import { OwnLesson } from './OwnLesson.tsx'

/** Shows sellers their course as a learner sees it. It stores nothing. */
export function OwnCoursePage({ id }: { id: string }) {
  const { data: course, error, refetch } = useQuery({ ...query(getOwnCourse, { id }), refetchOnMount: 'always' })
  return (
    <CourseFrame
      back={{ href: `/my-products/${id}`, label: 'Edit the course' }}
      missing={{
        text: 'It isn’t one of yours, or you deleted it.',
        link: { href: '/my-products', label: 'My Products' },
      }}
      error={error}
      onRetry={() => void refetch()}
    >
      {course && <Shown course={course} />}
    </CourseFrame>
  )
}

function Shown({ course }: { course: OwnCourse }) {
  const [search] = useSearchParams()
  const lessons = lessonsOf(course.parts)
  const current = lessons.find(({ id }) => id === search.get('lesson')) ?? lessons[0]
  return (
    <>
      <Note Icon={Eye} title="As a learner who buys today">
        Only you can see this page. It stores no progress, no place and no certificate.
      </Note>
      <div className="split">
        {current ? (
          <OwnLesson key={current.id} course={course} lessons={lessons} current={current} />
        ) : (
          <EmptyState isPage scene="shelf" title={course.title}>
            Add a lesson to see it here.
          </EmptyState>
        )}
        <aside className="split__side" aria-label="The course">
          <Ticket>
            <TicketPart className="stack roomy">
              <CourseHead course={course} about={`${plural(lessons.length, 'lesson')} by ${course.seller}`} />
            </TicketPart>
            <LessonList
              parts={course.parts}
              currentId={current?.id ?? null}
              pathOf={(lessonId) => ownCoursePath(course.productId, lessonId)}
            />
          </Ticket>
        </aside>
      </div>
    </>
  )
}
