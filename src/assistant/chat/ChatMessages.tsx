import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { withoutGaps } from '../../kit/gaps.rules.ts'
import { toCents } from '../../kit/money.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { formatClock, formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { BotIcon } from './BotIcon.tsx'
import type { ChatMessage } from './chat.contract.ts'

type ChatMessagesProps = {
  messages: ChatMessage[]
  /** The side whose messages stand on the right. */
  side: 'customer' | 'staff'
  children?: ReactNode
}

/** How far from the end the log may be scrolled and still follow new messages, in pixels. */
const NEAR = 120

/** A conversation, oldest message first. It follows new messages unless the reader has scrolled up. */
export function ChatMessages({ messages, side, children }: ChatMessagesProps) {
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const last = messages.at(-1)
  const isOwn = side === 'customer' ? last?.isFromUser : last?.isFromAdmin
  useLayoutEffect(() => {
    if (log.current && (isAtEnd.current || isOwn)) log.current.scrollTop = log.current.scrollHeight
  }, [last?.id, isOwn])
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
      {messages.map((message) => (
        <Message key={message.id} message={message} side={side} />
      ))}
    </div>
  )
}

function Message({ message: said, side }: { message: ChatMessage; side: ChatMessagesProps['side'] }) {
  const isMine = said.isFromUser === (side === 'customer')
  const look = [
    'msg',
    isMine && 'msg--me',
    said.isFromAdmin && 'msg--admin',
    !said.isFromUser && !said.isFromAdmin && 'msg--bot',
  ]
  return (
    <div className={look.filter(Boolean).join(' ')}>
      <span className="msg__who" aria-hidden>
        {said.isFromUser ? 'U' : said.isFromAdmin ? 'A' : <BotIcon />}
      </span>
      <div className="msg__text">
        <span className="sr">{authorOf(said, side)}: </span>
        {withoutGaps(said.message)}
        {said.products.map(({ id, title, price }) => (
          <Link key={id} className="msg__card" href={`/product/${id}`}>
            {title}
            <span>{priceText(toCents(price))}</span>
          </Link>
        ))}
        {said.articles.map(({ slug, title }) => (
          <Link key={slug} className="msg__card" href={`/help/${slug}`}>
            {title}
            <ChevronRight className="icon icon--sm" aria-hidden />
          </Link>
        ))}
      </div>
      <p className="msg__meta">
        {!said.isFromUser && `${said.isFromAdmin ? authorOf(said, side) : 'Assistant'} · `}
        <time dateTime={said.createdAt}>{formatTime(said.createdAt)}</time>
      </p>
    </div>
  )
}

function authorOf({ isFromUser, isFromAdmin, staffName }: ChatMessage, side: ChatMessagesProps['side']): string {
  if (isFromUser) return side === 'customer' ? 'You' : 'Customer'
  if (!isFromAdmin) return 'Assistant'
  return staffName ? `${staffName}, Support` : 'Support'
}

const formatTime = (iso: string) =>
  formatDay(iso) === formatDay(new Date().toISOString()) ? formatClock(Date.parse(iso)) : formatMoment(iso)

export const MessagesSkeleton = () => (
  <div className="chat__log" role="status" aria-label="Loading the messages">
    {['60%', '50%', '66%'].map((width) => (
      <Skeleton key={width} height="2.75rem" width={width} />
    ))}
  </div>
)
