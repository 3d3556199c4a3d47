import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { startDownload } from '../../../kit/download/startDownload.client.ts'
import { query } from '../../../kit/query/query.client.ts'
import { formatDay } from '../../../localisation/dates.rules.ts'
import { LinkButton } from '../../../ui/Link.tsx'
import { Note } from '../../../ui/Note.tsx'
import { ErrorState } from '../../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../../ui/state/Skeleton.tsx'
import { plays } from '../../reading/media.rules.ts'
import type { CoursePart } from '../learning.contract.ts'
import { LessonContent, LessonHead, LessonPlayer } from '../LessonContent.tsx'
import { getPart } from '../outline.contract.ts'
import type { OwnCourse } from './ownCourse.contract.ts'
import { ownCoursePath, ownFilePath, ownPlayerPath } from './ownCourse.rules.ts'

type OwnLessonProps = { course: OwnCourse; lessons: CoursePart[]; current: CoursePart }

export function OwnLesson({ course, lessons, current }: OwnLessonProps) {
  const { productId, title: about } = course
  const asked = { id: productId, partId: current.id }
  const { data: lesson, isError, refetch } = useQuery({ ...query(getPart, asked), refetchOnMount: 'always', gcTime: 0 })
  const files = lesson?.files ?? []
  const media = files.find(({ contentType }) => plays(contentType))
  const place = lessons.indexOf(current)
  const [before, next] = [lessons[place - 1], lessons[place + 1]]
  return (
    <div className="stack gap-6">
      {media && (
        <LessonPlayer
          key={media.id}
          track={{
            ...{ lineId: productId, file: { ...media, place: null, share: 0 }, title: current.title, about },
            ...{ product: { ...course, id: productId }, href: ownCoursePath(productId, current.id) },
            url: ownPlayerPath(productId, media.id),
          }}
        />
      )}
      {!lesson && !isError && current.look !== 'text' && <Skeleton className="player" />}
      <LessonHead lessons={lessons} current={current} />
      {current.opensAt && (
        <Note Icon={Lock} title={`Opens on ${formatDay(current.opensAt)}`}>
          Until then, learners see only its title.
        </Note>
      )}
      {lesson ? (
        <LessonContent
          text={lesson.text}
          files={files.filter((file) => file !== media)}
          isEmpty={!lesson.text && files.length === 0}
          onDownload={({ id }) => startDownload(ownFilePath(productId, id))}
        />
      ) : isError ? (
        <ErrorState title="Couldn’t load the lesson" onRetry={() => void refetch()} />
      ) : (
        <Skeleton height="12rem" />
      )}
      <div className="row">
        {before && (
          <LinkButton tone="line" className="grow" href={ownCoursePath(productId, before.id)} replace>
            Previous lesson
          </LinkButton>
        )}
        {next && (
          <LinkButton tone="primary" className="grow" href={ownCoursePath(productId, next.id)} replace>
            Next lesson
          </LinkButton>
        )}
      </div>
    </div>
  )
}
