import { ArrowRight, Check, Lock, Undo2 } from 'lucide-react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Note } from '../../ui/Note.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { plays } from '../reading/media.rules.ts'
import { openFile, type ReadFile } from '../reading/reading.contract.ts'
import { describeRefusal } from '../refusal.rules.ts'
import type { CoursePart, TakenCourse } from './learning.contract.ts'
import { LessonContent, LessonHead, LessonPlayer } from './LessonContent.tsx'
import { lessonPath } from './LessonList.tsx'
import { nextOpen } from './progress.rules.ts'
import { useLesson } from './useCourse.ts'

type LessonViewProps = {
  lineId: string
  course: TakenCourse
  lessons: CoursePart[]
  current: CoursePart
  isSaving: boolean
  onDone: (isDone: boolean) => void
}

export function LessonView({ lineId, course, lessons, current, isSaving, onDone }: LessonViewProps) {
  const lesson = useLesson(lineId, current.opensAt ? null : current.id)
  const files = lesson.data?.files ?? []
  const media = files.find(({ contentType }) => plays(contentType))
  const others = files.filter((file) => file !== media)
  const download = async ({ id }: ReadFile) => {
    try {
      startDownload((await call(openFile, { id: lineId, fileId: id })).url)
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t start the download. Please try again.'))
    }
  }
  return (
    <div className="stack gap-6">
      {media && (
        <LessonPlayer
          key={media.id}
          track={{
            ...{ lineId, file: media, title: current.title, about: course.title },
            ...{ product: { ...course, id: course.productId }, href: lessonPath(lineId, current.id) },
          }}
        />
      )}
      {lesson.isPending && !current.opensAt && current.look !== 'text' && <Skeleton className="player" />}
      <LessonHead lessons={lessons} current={current} />
      {current.opensAt ? (
        <Note Icon={Lock} title="Not open yet">
          This lesson opens on {formatDay(current.opensAt)}.
        </Note>
      ) : lesson.isError ? (
        lesson.error instanceof Failure && lesson.error.status < 500 ? (
          <p role="alert">{describeRefusal(lesson.error, 'This lesson doesn’t open right now.')}</p>
        ) : (
          <ErrorState title="Couldn’t load the lesson" onRetry={() => void lesson.refetch()} />
        )
      ) : lesson.data ? (
        <LessonContent
          text={lesson.data.text}
          files={others}
          isEmpty={!lesson.data.text && files.length === 0}
          onDownload={(file) => void download(file)}
        />
      ) : (
        <Skeleton height="12rem" />
      )}
      <LessonButtons {...{ lineId, lessons, current, isSaving, onDone }} />
    </div>
  )
}

function LessonButtons({ lineId, lessons, current, isSaving, onDone }: Omit<LessonViewProps, 'course'>) {
  const place = lessons.indexOf(current)
  const [before, next] = [lessons[place - 1], lessons[place + 1]]
  const doneLabel = nextOpen(lessons, current) ? 'Mark as done and go on' : 'Mark as done'
  return (
    <div className="row">
      {!current.opensAt && (
        <Button
          tone={current.isDone ? 'line' : 'primary'}
          className="grow"
          isBusy={isSaving}
          icon={current.isDone ? <Undo2 className="icon" aria-hidden /> : <Check className="icon" aria-hidden />}
          onClick={() => onDone(!current.isDone)}
        >
          {current.isDone ? 'Mark as not done' : doneLabel}
        </Button>
      )}
      {before && (
        <LinkButton tone="line" className="grow" href={lessonPath(lineId, before.id)} replace>
          Previous lesson
        </LinkButton>
      )}
      {next && (
        <LinkButton
          tone={current.isDone || current.opensAt ? 'primary' : 'line'}
          className="grow"
          href={lessonPath(lineId, next.id)}
          replace
        >
          Next lesson
          <ArrowRight className="icon" aria-hidden />
        </LinkButton>
      )}
    </div>
  )
}
