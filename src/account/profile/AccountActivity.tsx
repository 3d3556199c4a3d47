import { Check, Clock, KeyRound, MailWarning, UserCheck } from 'lucide-react'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { dayOf } from './lastLogin.rules.ts'
import { useAccount } from '../useAccount.ts'

/** The last sign-in and the security of the account. */
export function AccountActivity({ user }: { user: CurrentUser }) {
  const { data: account, isError } = useAccount()
  const now = useNow(60_000)
  const lastLogin = account ? dayOf(account.lastLoginAt, now, formatDay) : isError && 'Unknown'
  return (
    <section className="section" aria-labelledby="activity">
      <h2 id="activity">Account Activity</h2>
      <ul className="list">
        <li className="list__row">
          <Clock className="icon" aria-hidden />
          <span className="grow">
            {lastLogin ? `Last login: ${lastLogin}` : <Skeleton height="1.25rem" width="9rem" />}
          </span>
        </li>
        <li className="list__row">
          <Check className="icon" aria-hidden />
          <span className="grow">Account status: Active</span>
        </li>
        {account?.keptAt && (
          <li className="list__row">
            <UserCheck className="icon" aria-hidden />
            <span className="grow">Deletion called off: {dayOf(account.keptAt, now, formatDay)}</span>
          </li>
        )}
        {account?.isMailRefused && (
          <li className="list__row">
            <MailWarning className="icon" aria-hidden />
            <span className="grow">Emails to your address are bouncing</span>
            <Link className="link" href="/settings" aria-label="Change your email address in Settings">
              Change
            </Link>
          </li>
        )}
        <li className="list__row">
          <KeyRound className="icon" aria-hidden />
          <span className="grow">Two-factor auth: {user.twoFactorEnabled ? 'Enabled' : 'Not enabled'}</span>
          {!user.twoFactorEnabled && (
            <Link className="link" href="/settings" aria-label="Enable two-factor authentication in Settings">
              Enable
            </Link>
          )}
        </li>
      </ul>
    </section>
  )
}
