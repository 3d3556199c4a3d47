import '../reading/player.css'
import './learn.css'
import { Award } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { plural } from '../../localisation/plural.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { CertificateCard } from './CertificateCard.tsx'
import { CourseFrame, CourseHead } from './frame/CourseFrame.tsx'
import type { CoursePart, TakenCourse } from './learning.contract.ts'
import { LessonList, lessonPath } from './LessonList.tsx'
import { LessonView } from './LessonView.tsx'
import { lessonsOf, nextOpen } from './progress.rules.ts'
import { useCourse, useLessonDone } from './useCourse.ts'

const StoreCourse = lazyPart(() => import('./StoreCourse.tsx'), 'StoreCourse')

export function LearnPage({ id }: { id: string }) {
  const { data: course, error, refetch } = useCourse(id)
  return (
    <CourseFrame
      back={{ href: '/library', label: 'Library' }}
      missing={{
        text: 'It isn’t one of yours, or it was refunded. Your order says why.',
        link: { href: '/library', label: 'Open your library' },
      }}
      error={error}
      onRetry={() => void refetch()}
    >
      {course && <Course id={id} course={course} />}
    </CourseFrame>
  )
}

function Course({ id, course }: { id: string; course: TakenCourse }) {
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const [isTaken] = useState(course.certificate === null)
  const done = useLessonDone(id)
  const lessons = lessonsOf(course.parts)
  const count = lessons.filter(({ isDone }) => isDone).length
  const asked = search.get('lesson')
  // a lesson that is marked as done stays on screen
  const [firstId] = useState(course.resumeId)
  // a lesson that its seller deleted redirects to the last position
  const current = lessons.find((one) => one.id === asked) ?? lessons.find((one) => one.id === firstId) ?? lessons[0]
  const markDone = (lesson: CoursePart, isDone: boolean) => {
    done.mutate({ lessonId: lesson.id, isDone })
    const next = nextOpen(lessons, lesson)
    if (isDone && next) navigate(lessonPath(id, next.id), { replace: true })
  }
  const about = `${count} of ${plural(lessons.length, 'lesson')} done`
  return (
    <>
      <div className="split">
        {current ? (
          <LessonView
            key={current.id}
            lineId={id}
            course={course}
            lessons={lessons}
            current={current}
            isSaving={done.isPending}
            onDone={(isDone) => markDone(current, isDone)}
          />
        ) : (
          <EmptyState isPage scene="shelf" title={course.title}>
            The seller has taken all lessons out for now. They appear here when they are back.
          </EmptyState>
        )}
        <aside className="split__side" aria-label="The course">
          <Ticket>
            <TicketPart className="stack roomy">
              <CourseHead course={course} about={about} />
              {lessons.length > 0 && (
                <progress className="learned" value={count} max={lessons.length} aria-label={about} />
              )}
              {course.resumeId && course.resumeId !== current?.id && (
                <LinkButton tone="soft" isWide href={lessonPath(id, course.resumeId)} replace>
                  Resume
                </LinkButton>
              )}
            </TicketPart>
            <TicketPart className="roomy">
              <StoreCourse lineId={id} />
            </TicketPart>
            <LessonList
              parts={course.parts}
              currentId={current?.id ?? null}
              pathOf={(lessonId) => lessonPath(id, lessonId)}
            />
            {!course.certificate && lessons.length > 0 && (
              <TicketPart className="row row--nowrap roomy">
                <Award className="icon" aria-hidden />
                <div className="grow">
                  <h3 className="text-14">Certificate</h3>
                  <p className="muted small">When all lessons are done: {lessons.length - count} to go.</p>
                </div>
              </TicketPart>
            )}
          </Ticket>
        </aside>
      </div>
      {course.certificate && <CertificateCard lineId={id} certificate={course.certificate} isNew={isTaken} />}
    </>
  )
}
