import { useState } from 'react'
import '../support/chat/chat.css'
import { ConversationList } from '../support/inbox/ConversationList.tsx'
import '../support/inbox/inbox.css'
import { describeWaiting, isWaiting, pickConversations, type InboxFilter } from '../support/inbox/inbox.rules.ts'
import { useConversations } from '../support/inbox/useInbox.ts'
import { useSession } from '../identity/sessions/useSession.ts'
import { useNow } from '../kit/useNow.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'
import { useIsDesktop } from '../ui/useMatches.ts'

const Thread = lazyPart(() => import('../support/inbox/Thread.tsx'), 'Thread', <Skeleton height="24rem" />)

const choices: { value: InboxFilter; label: string }[] = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'All' },
]

export function AdminChatPage({ id }: { id: string }) {
  const { inbox, all, isPending, isError, refetch, readMore, isReadingMore } = useConversations()
  const [shown, setShown] = useState<InboxFilter>('waiting')
  const now = useNow(15_000)
  const hasList = useIsDesktop() || id === ''
  const { user } = useSession()
  const conversations = pickConversations(all, shown, user?.id)
  // waiting conversations come first, so all are loaded once the list has a conversation that does not wait
  const hasMore = readMore !== null && (shown !== 'waiting' || all.every(isWaiting))
  return (
    <StaffPage
      hasNav={hasList}
      title="Support inbox"
      about={inbox && hasList ? describeWaiting(inbox, now) : undefined}
      action={hasList && <Segment label="Show" options={choices} value={shown} onChange={setShown} />}
    >
      {isError && !inbox ? (
        <ErrorState title="Couldn’t load the conversations" onRetry={refetch} />
      ) : (
        <div className={`inbox ${id ? 'is-open' : ''}`}>
          {isPending ? (
            <RowsSkeleton label="Loading the conversations" list="inbox__list" row="conv">
              <Skeleton className="avatar avatar--sm" />
              <span className="stack gap-2">
                <Skeleton height="1rem" width="60%" />
                <Skeleton height="1rem" />
              </span>
              <Skeleton height="1rem" width="3rem" />
            </RowsSkeleton>
          ) : conversations.length > 0 ? (
            <ConversationList
              conversations={conversations}
              openId={id}
              more={
                hasMore && (
                  <Button isBusy={isReadingMore} onClick={readMore}>
                    Show more
                  </Button>
                )
              }
            />
          ) : (
            <div className="inbox__list">
              <EmptyState
                scene="receipt"
                title={
                  shown === 'all' ? 'No messages yet' : shown === 'mine' ? 'You answer no one' : 'No one is waiting'
                }
              >
                {shown === 'waiting' && 'You’re all caught up. Earlier conversations are under All.'}
              </EmptyState>
            </div>
          )}
          {id ? (
            <Thread key={id} userId={id} />
          ) : (
            <div className="inbox__thread inbox__thread--empty">
              <EmptyState scene="ticket" title="Choose a conversation" />
            </div>
          )}
        </div>
      )}
    </StaffPage>
  )
}
