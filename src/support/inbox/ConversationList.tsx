import type { ReactNode } from 'react'
import { formatClock, formatDay } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import type { Conversation } from './inbox.contract.ts'

type ConversationListProps = {
  conversations: Conversation[]
  openId: string
  more: ReactNode
}

export const ConversationList = ({ conversations, openId, more }: ConversationListProps) => (
  <ul className="inbox__list" aria-label="Conversations">
    {conversations.map((one) => (
      <li key={one.userId}>
        <Link className="conv" href={`/admin/chat/${one.userId}`} aria-current={one.userId === openId || undefined}>
          <span className="avatar avatar--sm" aria-hidden>
            {initials(one.name)}
          </span>
          <span className="grow">
            <strong className={one.unread > 0 ? 'is-new' : undefined}>
              <span className="clamp-1">{one.name}</span>
              {one.unread > 0 && <span className="conv__count num">{one.unread}</span>}
              {one.unread > 0 && <span className="sr"> unread</span>}
            </strong>
            <span className="clamp-2 conv__last">
              {!one.lastIsFromUser && 'Answered: '}
              {one.lastMessage}
            </span>
            <span className="conv__last">{describe(one)}</span>
            {one.isLate && <span className="conv__late">Waiting longer than promised</span>}
          </span>
          <time dateTime={one.lastAt}>{formatWhen(one.lastAt)}</time>
        </Link>
      </li>
    ))}
    {more && <li className="row row--center inbox__more">{more}</li>}
  </ul>
)

/** 'Asked for a person · Lena answers · refund, vip' */
const describe = ({ isForPerson, waitingSince, assignee, snoozedUntil, tags }: Conversation) =>
  [
    isForPerson && waitingSince && 'Asked for a person',
    assignee && `${assignee.name} answers`,
    snoozedUntil && 'Snoozed',
    tags.join(', '),
  ]
    .filter(Boolean)
    .join(' · ')

const initials = (name: string) =>
  name
    .split(' ')
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

const formatWhen = (iso: string) =>
  formatDay(iso) === formatDay(new Date().toISOString()) ? formatClock(Date.parse(iso)) : formatDay(iso)
