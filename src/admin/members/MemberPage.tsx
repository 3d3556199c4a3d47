import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { isMissing } from '../../kit/call.client.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Suspension } from '../../moderation/Suspension.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { MemberBadges } from './MemberBadges.tsx'
import { type MemberFile, readMember } from './members.contract.ts'

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
          Search by name or email address.
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
  const { id, email, since, isVerified, isOwn, orders, spent, handle, hasChat, seller } = file
  return (
    <>
      <section className="card stack" aria-label="Account">
        <dl className="pairs">
          <Pair name="Joined" value={formatDay(since)} />
          <Pair name="Email" value={isVerified ? 'Verified' : 'Not verified'} />
          <Pair name="Paid orders" value={orders.toLocaleString('en')} />
          <Pair name="Paid" value={usd(toCents(spent))} />
          <Pair name="Products" value={`${seller.listed.toLocaleString('en')} listed`} />
          <Pair name="Take-downs" value={seller.takeDowns.toLocaleString('en')} />
        </dl>
        <div className="row row--wrap">
          <LinkButton href={`/admin/orders?q=${encodeURIComponent(email)}`}>Orders</LinkButton>
          {hasChat && <LinkButton href={`/admin/chat/${id}`}>Conversation</LinkButton>}
          {handle && <LinkButton href={`/seller/${handle}`}>Seller page</LinkButton>}
        </div>
      </section>
      {!isOwn && (
        <section className="card stack" aria-labelledby="selling">
          <h2 id="selling" className="text-18">
            Selling
          </h2>
          <Suspension seller={{ ...seller, name: file.name }} />
        </section>
      )}
    </>
  )
}
