import { Download } from 'lucide-react'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { ReadFile } from '../reading/reading.contract.ts'
import type { CoursePart } from './learning.contract.ts'
import { describeLesson } from './LessonList.tsx'

export const LessonPlayer = lazyPart(
  () => import('../reading/MediaPlayer.tsx'),
  'MediaPlayer',
  <Skeleton className="player" />,
)

type LessonHeadProps = { lessons: CoursePart[]; current: CoursePart }

export const LessonHead = ({ lessons, current }: LessonHeadProps) => (
  <PageHead
    title={current.title}
    about={`Lesson ${lessons.indexOf(current) + 1} of ${lessons.length} · ${describeLesson(current)}`}
  />
)

type LessonContentProps<F> = {
  text: string
  /** The files without the one that plays. */
  files: F[]
  isEmpty: boolean
  onDownload: (file: F) => void
}

/** The text and the files of a lesson. */
export const LessonContent = <F extends Pick<ReadFile, 'id' | 'fileName' | 'sizeBytes'>>({
  text,
  files,
  isEmpty,
  onDownload,
}: LessonContentProps<F>) => (
  <>
    {text && (
      <div className="lesson-text">
        <Markdown text={text} />
      </div>
    )}
    {isEmpty && <p className="muted">This lesson has no content yet.</p>}
    {files.length > 0 && (
      <ul className="list" aria-label="Files of the lesson">
        {files.map((file) => (
          <li key={file.id} className="list__row">
            <span className="grow">
              <strong className="text-14 wrap-anywhere">{file.fileName}</strong>
              <small>
                {formatOf(file.fileName)}, {formatBytes(file.sizeBytes)}
              </small>
            </span>
            <IconButton
              label={`Download ${file.fileName}`}
              look="add"
              icon={<Download className="icon" aria-hidden />}
              onClick={() => onDownload(file)}
            />
          </li>
        ))}
      </ul>
    )}
  </>
)
