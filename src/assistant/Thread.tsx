import { ChevronLeft } from 'lucide-react'
import { isMissing } from '../kit/call.client.ts'
import { formatDay, formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ChatForm } from './ChatForm.tsx'
import { ChatMessages, MessagesSkeleton } from './ChatMessages.tsx'
import { useThread } from './useInbox.ts'

/** One conversation, for the staff to read and answer. */
export function Thread({ userId }: { userId: string }) {
  const { thread, answer, settle, error, refetch, isFetching } = useThread(userId)
  if (!thread && error)
    return (
      <section className="inbox__thread">
        {isMissing(error) ? (
          <EmptyState scene="torn" title="There is no such conversation" />
        ) : (
          <ErrorState
            title="The conversation could not be loaded"
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
      </section>
    )
  const name = thread?.customer.name ?? ''
  return (
    <section className="inbox__thread" aria-label={thread ? `Conversation with ${name}` : 'Conversation'}>
      <div className="chat__head">
        <Link className="icon-btn inbox__back" href="/admin/chat" aria-label="Back to the list">
          <ChevronLeft className="icon" aria-hidden />
        </Link>
        <div className="grow">
          {thread ? <h2 className="clamp-1">{name}</h2> : <Skeleton className="h-5 w-40" />}
          <p className="num">
            {thread ? (
              <span className="clamp-2">
                {thread.customer.email}, joined {formatDay(thread.customer.joinedAt)}
                {thread.waitingSince && ` · waiting since ${formatMoment(thread.waitingSince)}`}
              </span>
            ) : (
              <Skeleton className="h-4 w-60" />
            )}
          </p>
        </div>
        {thread?.waitingSince && (
          <Button isBusy={settle.isPending} onClick={() => settle.mutate()}>
            Resolve
          </Button>
        )}
      </div>
      {thread ? <ChatMessages messages={thread.messages} side="staff" /> : <MessagesSkeleton />}
      <ChatForm place={userId} label={`Reply to ${name}`} onSend={answer.mutateAsync} />
    </section>
  )
}
