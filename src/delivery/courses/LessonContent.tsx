import { Download } from 'lucide-react'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { ReadFile } from '../reading/reading.contract.ts'

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
