import { useQuery } from '@tanstack/react-query'
import { Markdown } from '../../catalogue/Markdown.tsx'
import type { Preview } from '../../catalogue/previews/previews.contract.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { listPreviews } from '../courses/learning.contract.ts'

// One script for both dialogs, because the first load lists every script.

const waiting = <Skeleton height="24rem" />
const SamplePages = lazyPart(() => import('./pdf/SamplePages.tsx'), 'SamplePages', waiting)
const SampleBook = lazyPart(
  () => import('./epub/EpubReader.tsx').then(({ SampleBook }) => ({ SampleBook })),
  'SampleBook',
  waiting,
)

type SampleDialogProps = { sample: Preview; title: string; description: string; onClose: () => void }

export function SampleDialog({ sample: { kind, url, alt }, title, description, onClose }: SampleDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      <DialogBody>
        {kind === 'pdf' && <SamplePages url={url} title={alt} />}
        {kind === 'epub' && <SampleBook url={url} onDownload={() => startDownload(url)} />}
        {kind === 'video' && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <video className="sample" src={url} controls preload="metadata" playsInline aria-label={`Sample: ${alt}`} />
        )}
      </DialogBody>
    </Dialog>
  )
}

/** The first lesson of a course that its seller shows to everybody. */
export function FreeLesson({ productId, onClose }: { productId: string; onClose: () => void }) {
  const { data, isError, refetch } = useQuery(query(listPreviews, { id: productId }))
  const lesson = data?.find(({ text }) => text !== null)
  return (
    <Dialog isOpen onClose={onClose} title={lesson?.title ?? 'Free lesson'}>
      <DialogBody>
        {lesson ? (
          <Markdown text={lesson.text ?? ''} />
        ) : isError ? (
          <ErrorState title="Couldn’t load the lesson" onRetry={() => void refetch()} />
        ) : data ? (
          <p>Visitors can read it once the course is on sale.</p>
        ) : (
          <Skeleton height="12rem" />
        )}
      </DialogBody>
    </Dialog>
  )
}
