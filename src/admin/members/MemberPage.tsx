import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isMissing } from '../../kit/call.client.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { MemberBadges } from './MemberBadges.tsx'
import { type MemberFile, readMember } from './members.contract.ts'
import { SignOutButton } from './SignOutButton.tsx'
import { ViewButton } from './ViewButton.tsx'

const MemberHistory = lazyPart(() => import('./MemberHistory.tsx'), 'MemberHistory', <Skeleton height="20rem" />)
const Notes = lazyPart(() => import('../../support/inbox/Notes.tsx'), 'Notes', <Skeleton height="10rem" />)
const Suspension = lazyPart(() => import('../../moderation/Suspension.tsx'), 'Suspension', <Skeleton height="8rem" />)
const StaffMessages = lazyPart(() => import('../messages/StaffMessages.tsx'), 'StaffMessages')

export function MemberPage({ id }: { id: string }) {
  const { data: file, error, refetch } = useQuery({ ...query(readMember, { id }), refetchOnMount: 'always' })
  const [from] = useState(() => (history.state as { from?: string } | null)?.from ?? '/admin/members')
  return (
    <StaffPage
      back={
        <LinkButton tone="ghost" className="btn--back" href={from} icon={<ChevronLeft className="icon" aria-hidden />}>
          All members
        </LinkButton>
      }
      title={file?.name ?? 'Member'}
      about={file && <span className="wrap-anywhere">{file.email}</span>}
      action={
        file && (
          <span className="row">
            <MemberBadges {...file} />
          </span>
        )
      }
    >
      {file ? (
        <File file={file} />
      ) : isMissing(error) ? (
        <EmptyState scene="ticket" title="We couldn’t find that member">
          Search by name, email address or order number.
        </EmptyState>
      ) : error ? (
        <ErrorState title="Couldn’t load the member" onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label="Loading the member" />
      )}
    </StaffPage>
  )
}

function File({ file }: { file: MemberFile }) {
  const { id, name, email, role, isOwn, handle, hasChat, seller } = file
  const { user } = useSession()
  const canView = !isOwn && (role === 'member' || user?.role === 'admin')
  return (
    <div className="overview">
      <div className="stack gap-5">
        <Ticket aria-label="Account">
          <TicketPart>
            <Account file={file} />
          </TicketPart>
          <TicketPart>
            <div className="row row--wrap">
              <LinkButton href={`/admin/orders?q=${encodeURIComponent(email)}`}>Orders</LinkButton>
              {hasChat && <LinkButton href={`/admin/chat/${id}`}>Conversation</LinkButton>}
              {handle && <LinkButton href={`/seller/${handle}`}>Seller page</LinkButton>}
              {canView && <ViewButton id={id} name={name} />}
              {!isOwn && <SignOutButton id={id} name={name} />}
            </div>
          </TicketPart>
        </Ticket>
        <MemberHistory file={file} />
        <StaffMessages memberId={id} />
      </div>
      <div className="stack gap-5">
        <div className="card">
          <Notes userId={id} />
        </div>
        {!isOwn && (
          <section className="card stack" aria-labelledby="selling">
            <h2 id="selling" className="text-18">
              Selling
            </h2>
            <Suspension seller={{ ...seller, name }} />
          </section>
        )}
      </div>
    </div>
  )
}

function Account({ file }: { file: MemberFile }) {
  const { since, isVerified, orders, spent, seller, sold, disputes, sessions } = file
  const count = (value: number) => value.toLocaleString('en')
  return (
    <dl className="pairs">
      <Pair name="Joined" value={formatDay(since)} />
      <Pair name="Email" value={isVerified ? 'Verified' : 'Not verified'} />
      <Pair name="Signed in" value={plural(sessions, 'browser')} />
      <Pair name="Paid" value={`${usd(toCents(spent))} in ${plural(orders, 'order')}`} />
      <Pair name="Disputes" value={count(disputes)} />
      <Pair name="Revenue" value={`${usd(toCents(sold.amount))} in ${plural(sold.sales, 'sale')}`} />
      <Pair name="Refunded of these sales" value={usd(toCents(sold.refunded))} />
      <Pair name="Products" value={`${count(seller.listed)} listed`} />
      <Pair name="Take-downs" value={count(seller.takeDowns)} />
    </dl>
  )
}
