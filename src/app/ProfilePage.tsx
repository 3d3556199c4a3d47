import {
  BadgeCheck,
  CalendarDays,
  Check,
  Clock,
  KeyRound,
  MailWarning,
  ShieldCheck,
  SlidersHorizontal,
} from 'lucide-react'
import { useEffect } from 'react'
import { Avatar } from '../identity/Avatar.tsx'
import type { CurrentUser } from '../identity/identity.contract.ts'
import { nameOf } from '../identity/user.rules.ts'
import { useSession } from '../identity/useSession.ts'
import { isUnauthorized } from '../kit/call.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { spentCents } from '../orders/order.rules.ts'
import { useOrders } from '../orders/useOrders.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Ticket, TicketPart } from '../ui/Ticket.tsx'
import { Achievements } from './Achievements.tsx'
import { leaveForSignIn } from './leave.client.ts'

/** The customer's card, and what the account has done. */
export function ProfilePage() {
  const { user, isLoading, error } = useSession()
  const isSignedOut = !isLoading && !user && isUnauthorized(error)
  useEffect(() => {
    if (isSignedOut) leaveForSignIn()
  }, [isSignedOut])
  return (
    <div className="section gap-6">
      <PageHead
        title="My Profile"
        action={
          <Link className="icon-btn" href="/settings" aria-label="Settings">
            <SlidersHorizontal className="icon" aria-hidden />
          </Link>
        }
      />
      {user ? (
        <div className="twocol">
          <MemberCard user={user} />
          <div className="stack gap-8">
            <Activity user={user} />
            <Achievements user={user} />
          </div>
        </div>
      ) : (
        !isLoading && <EmptyState scene="torn" title="Unable to load profile" />
      )}
    </div>
  )
}

function MemberCard({ user }: { user: CurrentUser }) {
  const { orders, isPending, hasError, isFetching, refetch } = useOrders()
  const figure = (text: string) => (isPending ? null : hasError ? 'Unknown' : text)
  return (
    <Ticket aria-label="Member card">
      <TicketPart className="stack gap-4 p-5">
        <div className="row">
          <Avatar user={user} />
          <div className="grow basis-36">
            <h2 className="text-22 tracking-tight">{nameOf(user)}</h2>
            <p className="muted small">{user.email}</p>
          </div>
        </div>
        <div className="row gap-2">
          {user.isAdmin && (
            <Badge look="accent" icon={<ShieldCheck className="icon" aria-hidden />}>
              Admin
            </Badge>
          )}
          {user.emailVerified ? (
            <Badge look="completed" icon={<BadgeCheck className="icon" aria-hidden />}>
              Email Verified
            </Badge>
          ) : (
            <Badge look="pending" icon={<MailWarning className="icon" aria-hidden />}>
              Email not verified
            </Badge>
          )}
          <Badge look="plain" icon={<CalendarDays className="icon" aria-hidden />}>
            Joined {formatDay(user.createdAt)}
          </Badge>
        </div>
      </TicketPart>
      <div className="ticket__part px-5 py-4">
        <dl className="figures">
          <Figure name="Total Orders" value={figure(String(orders.length))} />
          <Figure name="Total Spent" value={figure(usd(spentCents(orders)))} />
        </dl>
        <Link className="link mt-2" href="/wishlist">
          My Wishlist
        </Link>
        {hasError && (
          <p className="row mt-2 justify-between" role="alert">
            <span className="muted small">Your orders could not be loaded.</span>
            <Button tone="quiet" isBusy={isFetching} onClick={refetch}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </Ticket>
  )
}

const Figure = ({ name, value }: { name: string; value: string | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? <Skeleton className="h-8 w-16" />}</dd>
  </div>
)

const Activity = ({ user }: { user: CurrentUser }) => (
  <section className="section" aria-labelledby="activity">
    <h2 id="activity">Account Activity</h2>
    <ul className="list">
      <li className="list__row">
        <Clock className="icon" aria-hidden />
        <span className="grow">Last login: Today</span>
      </li>
      <li className="list__row">
        <Check className="icon" aria-hidden />
        <span className="grow">Account status: Active</span>
      </li>
      <li className="list__row">
        <KeyRound className="icon" aria-hidden />
        <span className="grow">Two-factor auth: {user.twoFactorEnabled ? 'Enabled' : 'Not enabled'}</span>
      </li>
    </ul>
  </section>
)
