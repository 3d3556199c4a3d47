import { useQuery } from '@tanstack/react-query'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { query } from '../../kit/query/query.client.ts'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { listPreviews } from '../courses/learning.contract.ts'

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
