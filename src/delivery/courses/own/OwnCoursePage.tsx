import '../../reading/player.css'
import '../learn.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Eye } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { ProductImage } from '../../../catalogue/covers/ProductImage.tsx'
import { isMissing } from '../../../kit/call.client.ts'
import { query } from '../../../kit/query/query.client.ts'
import { plural } from '../../../localisation/plural.rules.ts'
import { Link, LinkButton } from '../../../ui/Link.tsx'
import { Note } from '../../../ui/Note.tsx'
import { PageTitle } from '../../../ui/PageHead.tsx'
import { EmptyState } from '../../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../../ui/Ticket.tsx'
import { LessonList } from '../LessonList.tsx'
import { lessonsOf } from '../progress.rules.ts'
import { getOwnCourse, type OwnCourse } from './ownCourse.contract.ts'
import { ownCoursePath } from './ownCourse.rules.ts'
import { OwnLesson } from './OwnLesson.tsx'

/** Shows sellers their course as a learner sees it. It stores nothing. */
export function OwnCoursePage({ id }: { id: string }) {
  const { data: course, error, refetch } = useQuery({ ...query(getOwnCourse, { id }), refetchOnMount: 'always' })
  return (
    <div className="section gap-4">
      <Link href={`/my-products/${id}`} className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        Edit the course
      </Link>
      {course ? (
        <Shown course={course} />
      ) : isMissing(error) ? (
        <div className="card">
          <EmptyState
            isPage
            scene="search"
            title="Course not found"
            action={<LinkButton href="/my-products">My Products</LinkButton>}
          >
            It isn’t one of yours, or you deleted it.
          </EmptyState>
        </div>
      ) : error ? (
        <>
          <PageTitle title="Course" className="sr" />
          <ErrorState title="Couldn’t load the course" onRetry={() => void refetch()} />
        </>
      ) : (
        <div className="stack gap-4" role="status" aria-label="Loading the course">
          <Skeleton height="2.5rem" width="60%" />
          <Skeleton height="20rem" />
        </div>
      )}
    </div>
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
              <div className="row row--nowrap">
                <ProductImage product={{ ...course, id: course.productId }} sizes="64px" className="thumb thumb--sm" />
                <div className="grow">
                  <h2 className="text-18">{course.title}</h2>
                  <p className="muted small num">
                    {plural(lessons.length, 'lesson')} by {course.seller}
                  </p>
                </div>
              </div>
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
