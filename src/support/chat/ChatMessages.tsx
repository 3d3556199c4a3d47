import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { withoutGaps } from '../../kit/gaps.rules.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatClock } from '../../localisation/dates.rules.ts'
import { dayOf } from '../../localisation/day.rules.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { AnswerCards } from './AnswerCards.tsx'
import { BotIcon } from './BotIcon.tsx'
import { type ChatMessage, MANY_MESSAGES } from './chat.contract.ts'
import { RateAnswer } from './RateAnswer.tsx'

type ChatMessagesProps = {
  messages: ChatMessage[]
  side: 'customer' | 'staff'
  children?: ReactNode
  after?: ReactNode
  /** Shows the next steps under the newest message if it is an answer of the assistant. */
  nextSteps?: ((answer: ChatMessage) => ReactNode) | undefined
}

/** In milliseconds. Midnight is a multiple of it in every time zone, because offsets are quarters of an hour. */
const QUARTER = 900_000
/** Follows new messages if the log is scrolled to within this distance of its end, in pixels. */
const NEAR = 120

export function ChatMessages({ messages, side, children, after, nextSteps }: ChatMessagesProps) {
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const now = useNow(QUARTER)
  const last = messages.at(-1)
  const isOwn = side === 'customer' ? last?.isFromUser : last?.isFromAdmin
  useLayoutEffect(() => {
    if (log.current && (isAtEnd.current || isOwn)) log.current.scrollTop = log.current.scrollHeight
  }, [last?.id, isOwn, after])
  useEffect(() => {
    const { current } = log
    const note = () => {
      if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR
    }
    current?.addEventListener('scroll', note, { passive: true })
    return () => current?.removeEventListener('scroll', note)
  }, [])
  return (
    // a scrolling region must be reachable by keyboard
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={log} className="chat__log" role="log" aria-label="Messages" tabIndex={0}>
      {children}
      {messages.length >= MANY_MESSAGES && <p className="chat__note">Earlier messages are not shown.</p>}
      {messages.map((message, i) => {
        const day = dayOf(message.createdAt, now)
        const isNewDay = i === 0 || dayOf(messages[i - 1]!.createdAt, now) !== day
        return (
          <Fragment key={message.id}>
            {isNewDay && <p className="chat__day">{day}</p>}
            <Message message={message} side={side} nextSteps={message === last ? nextSteps : undefined} />
          </Fragment>
        )
      })}
      {after}
    </div>
  )
}

function Message({
  message: said,
  side,
  nextSteps,
}: { message: ChatMessage } & Pick<ChatMessagesProps, 'side' | 'nextSteps'>) {
  const isMine = said.isFromUser === (side === 'customer')
  const isBot = !said.isFromUser && !said.isFromAdmin
  const look = ['msg', isMine && 'msg--me', said.isFromAdmin && 'msg--admin', isBot && 'msg--bot']
  const hasCards = said.products.length + said.orders.length + said.articles.length > 0
  return (
    <div className={look.filter(Boolean).join(' ')}>
      <span className="msg__who" aria-hidden>
        {said.isFromUser ? 'U' : said.isFromAdmin ? 'A' : <BotIcon />}
      </span>
      <div className={said.isUnsure ? 'msg__text msg__text--unsure' : 'msg__text'}>
        <span className="sr">{authorOf(said, side)}: </span>
        <span dir="auto">{withoutGaps(said.message)}</span>
      </div>
      {hasCards && <AnswerCards {...said} />}
      <p className="msg__meta">
        {!said.isFromUser && `${said.isFromAdmin ? authorOf(said, side) : 'Assistant'} · `}
        <time dateTime={said.createdAt}>{formatClock(Date.parse(said.createdAt))}</time>
        {said.isStopped && ' · stopped'}
        {said.isByMail && ' · by mail'}
      </p>
      {isBot && side === 'customer' && <RateAnswer message={said} />}
      {isBot && !said.isStopped && nextSteps?.(said)}
    </div>
  )
}

function authorOf({ isFromUser, isFromAdmin, staffName }: ChatMessage, side: ChatMessagesProps['side']): string {
  if (isFromUser) return side === 'customer' ? 'You' : 'Customer'
  if (!isFromAdmin) return 'Assistant'
  return staffName ? `${staffName}, Support` : 'Support'
}

export const TypingPerson = ({ isCustomer = false }: { isCustomer?: boolean }) => (
  <div className={isCustomer ? 'msg' : 'msg msg--admin'}>
    <span className="msg__who" aria-hidden>
      {isCustomer ? 'U' : 'A'}
    </span>
    <div className="msg__text" aria-hidden>
      <span className="typing" />
    </div>
    <p className="msg__meta" role="status">
      {isCustomer ? 'The customer is typing' : 'A person is typing'}
    </p>
  </div>
)

export const MessagesSkeleton = () => (
  <div className="chat__log" role="status" aria-label="Loading the messages">
    {['60%', '50%', '66%'].map((width) => (
      <Skeleton key={width} height="2.75rem" width={width} />
    ))}
  </div>
)
