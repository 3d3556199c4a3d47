import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { isAllowed } from '../../kit/contract.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { ShopTotals } from './ShopTotals.tsx'
import { listWaiting, WAITING, type WaitingKind } from './waiting.contract.ts'

const TEXTS: Record<WaitingKind, { one: string; many?: string; about: string; search?: string }> = {
  chats: { one: 'conversation', about: 'Customers who wait for an answer' },
  refundApprovals: {
    one: 'refund to approve',
    many: 'refunds to approve',
    about: 'Large refunds that need a second member of staff',
    search: '?status=waits-for-approval',
  },
  refundRequests: {
    one: 'refund request',
    about: 'Buyers who ask for their money back',
    search: '?status=refund-requested',
  },
  reports: { one: 'report', about: 'Products and reviews that members reported' },
  codeCases: { one: 'bad code', about: 'Reports of codes that wait for your decision' },
  riskHolds: { one: 'order on hold', many: 'orders on hold', about: 'Paid orders that wait for a review' },
  disputes: { one: 'dispute', about: 'The shop loses them without a reply' },
  payouts: { one: 'payout', about: 'Sellers who wait for their money' },
  transfers: { one: 'USDC transfer', about: 'Transfers that match no order' },
}

export function OverviewPage() {
  const { data, isError, refetch } = useQuery({ ...query(listWaiting, {}), refetchOnMount: 'always' })
  const role = useSession().user?.role ?? 'member'
  const open = data?.filter(({ count }) => count > 0)
  return (
    <StaffPage title="Overview" about="Open items for you. Each entry opens its page.">
      {isError && !open && <ErrorState title="Couldn’t load the open items" onRetry={() => void refetch()} />}
      {!isError && !open && <RowsSkeleton label="Loading the open items" />}
      {open?.length === 0 && (
        <EmptyState scene="ticket" title="Nothing waits">
          New requests, reports and disputes show up here.
        </EmptyState>
      )}
      {open && open.length > 0 && (
        <ul className="list" aria-label="Open items">
          {open.map(({ kind, count }) => {
            const { one, many, about, search = '' } = TEXTS[kind]
            return (
              <li key={kind}>
                <Link className="list__row" href={`${WAITING[kind]}${search}`}>
                  <span className="grow grow--column">
                    <strong>{plural(count, one, many)}</strong>
                    <small>{about}</small>
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {isAllowed('finance', role) && <ShopTotals />}
    </StaffPage>
  )
}
