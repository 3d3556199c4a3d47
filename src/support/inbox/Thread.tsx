import { ChevronLeft, UserRound } from 'lucide-react'
import { useState } from 'react'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { call, isMissing } from '../../kit/call.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { useMatches } from '../../ui/useMatches.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { ChatForm } from '../chat/ChatForm.tsx'
import { ChatMessages, MessagesSkeleton, TypingPerson } from '../chat/ChatMessages.tsx'
import { useSendTyping, useTyping, useTypingColleagues } from '../chat/useTyping.ts'
import { useColleaguesHere, useSendHere } from '../presence/usePresence.ts'
import { sendTypingTo, type Thread as ThreadState } from './inbox.contract.ts'
import { spell } from './inbox.rules.ts'
import { useThread } from './useInbox.ts'

const ThreadTools = lazyPart(() => import('./ThreadTools.tsx'), 'ThreadTools')
const AboutCustomer = lazyPart(() => import('./AboutCustomer.tsx'), 'AboutCustomer')
const CustomerDialog = lazyDialog(() => import('./CustomerDialog.tsx'), 'CustomerDialog')

const listed = new Intl.ListFormat('en')

const ROOM = '(min-width: 1200px)'

export function Thread({ userId }: { userId: string }) {
  const { thread, answer, settle, error, refetch } = useThread(userId)
  const about = useDialog()
  const [given, setGiven] = useState<{ text: string; at: number }>()
  const hasRoom = useMatches(ROOM)
  const isTyping = useTyping(userId, thread?.messages.findLast(({ isFromUser }) => isFromUser)?.id)
  const notifyTyping = useSendTyping(() => call(sendTypingTo, { userId }))
  if (!thread && error) return <NoThread error={error} onRetry={refetch} />
  const name = thread?.customer.name ?? ''
  return (
    <>
      <section className="inbox__thread" aria-label={thread ? `Conversation with ${name}` : 'Conversation'}>
        <div className="chat__head">
          <Link className="icon-btn inbox__back" href="/admin/chat" aria-label="Back to the list">
            <ChevronLeft className="icon" aria-hidden />
          </Link>
          <ThreadTitle thread={thread} />
          {thread && !hasRoom && (
            <IconButton
              label="About the customer"
              icon={<UserRound className="icon" aria-hidden />}
              onClick={about.open}
            />
          )}
          {thread?.waitingSince && (
            <Button isBusy={settle.isPending} onClick={() => settle.mutate()}>
              Resolve
            </Button>
          )}
        </div>
        {thread ? (
          <ChatMessages messages={thread.messages} side="staff" after={isTyping && <TypingPerson isCustomer />} />
        ) : (
          <MessagesSkeleton />
        )}
        {thread && (
          <ThreadTools userId={userId} thread={thread} onText={(text) => setGiven({ text, at: Date.now() })} />
        )}
        {thread && !error && <Colleagues thread={thread} />}
        <ChatForm
          place={userId}
          label={`Reply to ${name}`}
          onSend={answer.mutateAsync}
          onTyping={notifyTyping}
          key={given?.at}
          text={given?.text}
        />
      </section>
      {hasRoom ? (
        <AsideCustomer thread={thread} />
      ) : (
        thread && about.isWanted && <CustomerDialog {...about.props} thread={thread} />
      )}
    </>
  )
}

const NoThread = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <section className="inbox__thread">
    {isMissing(error) ? (
      <EmptyState scene="torn" title="We couldn’t find that conversation" />
    ) : (
      <ErrorState title="Couldn’t load the conversation" onRetry={onRetry} />
    )}
  </section>
)

/** Shows colleagues who answer, type or have the conversation open, so that two agents do not answer twice. */
function Colleagues({ thread: { customer, messages, assignee, isMine } }: { thread: ThreadState }) {
  const typing = useTypingColleagues(customer.userId, messages.findLast(({ isFromAdmin }) => isFromAdmin)?.id)
  const here = useColleaguesHere(customer.userId)
  useSendHere(customer.userId)
  return (
    <div role="status">
      {assignee && !isMine && (
        <p className="muted small">{assignee.name} answers this customer. Your reply would be a second answer.</p>
      )}
      {typing.length > 0 && (
        <p className="muted small">
          {listed.format(typing)} {typing.length === 1 ? 'is' : 'are'} typing a reply to this customer.
        </p>
      )}
      {here.length > 0 && (
        <p className="muted small">
          {listed.format(here)} {here.length === 1 ? 'has' : 'have'} this conversation open too.
        </p>
      )}
    </div>
  )
}

type ThreadProps = { thread: ThreadState | undefined }

const ThreadTitle = ({ thread }: ThreadProps) => (
  <div className="grow">
    {thread ? <h2 className="clamp-1">{thread.customer.name}</h2> : <Skeleton height="1.25rem" width="10rem" />}
    <p className="num">
      {thread ? <span className="clamp-2">{describeThread(thread)}</span> : <Skeleton height="1rem" width="15rem" />}
    </p>
  </div>
)

const AsideCustomer = ({ thread }: ThreadProps) => (
  <aside className="inbox__about" aria-label="About the customer">
    {thread && (
      <>
        <div className="stack gap-1">
          <h2 className="text-18">{thread.customer.name}</h2>
          <p className="muted small wrap-anywhere">{thread.customer.email}</p>
        </div>
        <AboutCustomer thread={thread} />
      </>
    )}
  </aside>
)

/** 'Asked for a person · Waits 6 minutes · Lena answers' */
const describeThread = ({ isForPerson, waitingSince, snoozedUntil, assignee, isMine, customer }: ThreadState) =>
  [
    isForPerson && waitingSince && 'Asked for a person',
    waitingSince && `Waits ${spell(serverNow() - Date.parse(waitingSince))}`,
    snoozedUntil && `Snoozed until ${formatMoment(snoozedUntil)}`,
    assignee && (isMine ? 'You answer' : `${assignee.name} answers`),
  ]
    .filter(Boolean)
    .join(' · ') || customer.email
