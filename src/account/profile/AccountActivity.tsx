import { Check, Clock, KeyRound, type LucideIcon, MailWarning, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { dayOf } from './lastLogin.rules.ts'
import { useAccount } from '../useAccount.ts'

export function AccountActivity({ user }: { user: CurrentUser }) {
  const { data: account, isError } = useAccount()
  const now = useNow(60_000)
  const lastLogin = account ? dayOf(account.lastLoginAt, now, formatDay) : isError && 'Unknown'
  return (
    <section className="section" aria-labelledby="activity">
      <h2 id="activity">Account Activity</h2>
      <ul className="list">
        <Fact Icon={Clock}>{lastLogin ? `Last login: ${lastLogin}` : <Skeleton height="1.25rem" width="9rem" />}</Fact>
        <Fact Icon={Check}>Account status: Active</Fact>
        {account?.keptAt && <Fact Icon={UserCheck}>Deletion called off: {dayOf(account.keptAt, now, formatDay)}</Fact>}
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

/** `action` is the text of a link to Settings and its accessible name. */
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
