import {
  Check,
  CircleAlert,
  Clock,
  KeyRound,
  type LucideIcon,
  MailWarning,
  SlidersHorizontal,
  UserCheck,
} from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Account } from '../../identity/accounts/account.contract.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { leaveForSignIn } from '../../identity/leave.client.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isUnauthorized } from '../../kit/call.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { dayOf } from '../../localisation/day.rules.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { orderSumsQuery } from '../../purchases/orders.query.client.ts'
import { creditQuery } from '../../payments/useCredit.ts'
import { useOrderSums } from '../../purchases/useOrders.ts'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { accountQuery, useAccount } from '../useAccount.ts'
import { achievementsOf } from './achievements.rules.ts'
import { MemberCard } from './MemberCard.tsx'

export const firstView = () => [orderSumsQuery, accountQuery, creditQuery]

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
      {user && (
        <div className="twocol">
          <MemberCard user={user} />
          <div className="stack gap-8">
            <AccountActivity user={user} />
            <Achievements user={user} />
          </div>
        </div>
      )}
    </div>
  )
}

function Achievements({ user }: { user: CurrentUser }) {
  const { sums, isPending } = useOrderSums()
  const now = useNow(3_600_000)
  const stamps = achievementsOf(sums?.completed ?? 0, user.createdAt, now)
  const won = stamps.filter(({ isWon }) => isWon).length
  return (
    <section className="section" aria-labelledby="achievements">
      <div className="section__head">
        <h2 id="achievements">Achievements</h2>
        {won > 0 && (
          <span className="muted small num">
            {won} of {stamps.length}
          </span>
        )}
      </div>
      <div className="card stack gap-4 stamps-card">
        <ul className="stamps">
          {stamps.map(({ name, isWon, mark, turn }) => (
            <li
              key={name}
              className={`stamp ${isWon ? 'is-won' : ''}`}
              style={{ '--turn': `${turn}deg` }}
              aria-label={`${name}: ${isWon ? 'earned' : 'not yet'}`}
            >
              <svg viewBox="0 0 64 64" aria-hidden="true">
                {isWon && <circle className="tint" cx="32" cy="32" r="29" />}
                <circle cx="32" cy="32" r="29" strokeDasharray={isWon ? undefined : '3 4'} />
                {isWon && (
                  <>
                    <circle cx="32" cy="32" r="24" />
                    <path d={mark} strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
                  </>
                )}
              </svg>
              {name}
            </li>
          ))}
        </ul>
        {won === 0 && !isPending && <p className="muted small">Start shopping to unlock achievements!</p>}
      </div>
    </section>
  )
}

function AccountActivity({ user }: { user: CurrentUser }) {
  const { data: account, isError } = useAccount()
  const now = useNow(60_000)
  const lastLogin = account ? dayOf(account.lastLoginAt, now) : isError && 'Unknown'
  return (
    <section className="section" aria-labelledby="activity">
      <h2 id="activity">Account Activity</h2>
      <ul className="list">
        <Fact Icon={Clock}>{lastLogin ? `Last login: ${lastLogin}` : <Skeleton height="1.25rem" width="9rem" />}</Fact>
        <Fact Icon={account?.pausedUntil || account?.suspension ? CircleAlert : Check}>
          Account status: {statusOf(account, isError)}
        </Fact>
        {account?.keptAt && <Fact Icon={UserCheck}>Deletion called off: {dayOf(account.keptAt, now)}</Fact>}
        {account?.isMailRefused && (
          <Fact Icon={MailWarning} action={['Change', 'Change your email address in Settings']}>
            Emails to your address are bouncing
          </Fact>
        )}
        <Fact
          Icon={KeyRound}
          action={user.twoFactorEnabled ? undefined : ['Enable', 'Enable two-factor authentication in Settings']}
        >
          Two-factor auth: {user.twoFactorEnabled ? 'Enabled' : 'Not enabled'}
        </Fact>
      </ul>
    </section>
  )
}

function statusOf(account: Account | undefined, isError: boolean): ReactNode {
  if (!account) return isError ? 'Unknown' : '…'
  const { pausedUntil, suspension } = account
  const limits = [
    pausedUntil && `payments are paused until ${formatMoment(pausedUntil)}`,
    suspension && `selling is suspended${suspension.endsAt ? ` until ${formatMoment(suspension.endsAt)}` : ''}`,
  ].filter(Boolean)
  return limits.length > 0 ? `Restricted, ${limits.join(', ')}` : 'Active'
}

type FactProps = { Icon: LucideIcon; action?: [text: string, label: string] | undefined; children: ReactNode }

const Fact = ({ Icon, action, children }: FactProps) => (
  <li className="list__row">
    <Icon className="icon" aria-hidden />
    <span className="grow">{children}</span>
    {action && (
      <Link className="link" href="/settings" aria-label={action[1]}>
        {action[0]}
      </Link>
    )}
  </li>
)
