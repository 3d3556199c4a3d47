import { ArrowRight, Check, Download, Lock, Undo2 } from 'lucide-react'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { plays } from '../reading/media.rules.ts'
import { openFile, type ReadFile } from '../reading/reading.contract.ts'
import { describeRefusal } from '../refusal.rules.ts'
import type { CoursePart, TakenCourse } from './learning.contract.ts'
import { describeLesson, lessonPath } from './LessonList.tsx'
import { nextOpen } from './progress.rules.ts'
import { useLesson } from './useCourse.ts'

const MediaPlayer = lazyPart(() => import('../reading/MediaPlayer.tsx'), 'MediaPlayer', <Skeleton className="player" />)

type LessonViewProps = {
  lineId: string
  course: TakenCourse
  lessons: CoursePart[]
  current: CoursePart
  isSaving: boolean
  onDone: (isDone: boolean) => void
}

export function LessonView({ lineId, course, lessons, current, isSaving, onDone }: LessonViewProps) {
  const place = lessons.indexOf(current)
  const lesson = useLesson(lineId, current.opensAt ? null : current.id)
  const files = lesson.data?.files ?? []
  const media = files.find(({ contentType }) => plays(contentType))
  const others = files.filter((file) => file !== media)
  return (
    <div className="stack gap-6">
      {media && (
        <MediaPlayer
          key={media.id}
          track={{
            ...{ lineId, file: media, title: current.title, about: course.title },
            ...{ product: { ...course, id: course.productId }, href: lessonPath(lineId, current.id) },
          }}
        />
      )}
      {lesson.isPending && !current.opensAt && current.look !== 'text' && <Skeleton className="player" />}
      <PageHead title={current.title} about={`Lesson ${place + 1} of ${lessons.length} · ${describeLesson(current)}`} />
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
        <>
          {lesson.data.text && (
            <div className="lesson-text">
              <Markdown text={lesson.data.text} />
            </div>
          )}
          {!lesson.data.text && files.length === 0 && <p className="muted">This lesson has no content yet.</p>}
          {others.length > 0 && (
            <ul className="list" aria-label="Files of the lesson">
              {others.map((file) => (
                <FileRow key={file.id} lineId={lineId} file={file} />
              ))}
            </ul>
          )}
        </>
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

function FileRow({ lineId, file }: { lineId: string; file: ReadFile }) {
  const { id, fileName, sizeBytes } = file
  const download = async () => {
    try {
      startDownload((await call(openFile, { id: lineId, fileId: id })).url)
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t start the download. Please try again.'))
    }
  }
  return (
    <li className="list__row">
      <span className="grow">
        <strong className="text-14 wrap-anywhere">{fileName}</strong>
        <small>
          {formatOf(fileName)}, {formatBytes(sizeBytes)}
        </small>
      </span>
      <IconButton
        label={`Download ${fileName}`}
        look="add"
        icon={<Download className="icon" aria-hidden />}
        onClick={() => void download()}
      />
    </li>
  )
}
