import {
  BadgeCheck,
  CalendarDays,
  ChartNoAxesColumn,
  ChevronRight,
  Coins,
  Heart,
  Library,
  type LucideIcon,
  MailWarning,
  Package,
  ShieldCheck,
  Store,
  Wallet,
} from 'lucide-react'
import { Avatar } from '../../identity/accounts/Avatar.tsx'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { BonusPromise } from '../../payments/BonusPromise.tsx'
import { toCents } from '../../kit/money.ts'
import { useOrderSums } from '../../purchases/useOrders.ts'
import { useCredit } from '../../payments/useCredit.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const EditProfileDialog = lazyDialog(() => import('./EditProfileDialog.tsx'), 'EditProfileDialog')
const CreditDialog = lazyDialog(() => import('../../payments/CreditDialog.tsx'), 'CreditDialog')
const VerifyButton = lazyPart(
  () => import('./VerifyButton.tsx'),
  'VerifyButton',
  <Button tone="quiet" disabled>
    Verify
  </Button>,
)
const MailsDialog = lazyDialog(() => import('../MailsDialog.tsx'), 'MailsDialog')

const ROLE_NAMES = { member: '', support: 'Support', finance: 'Finance', admin: 'Admin' }

export function MemberCard({ user }: { user: CurrentUser }) {
  const email = user.email
  const profile = useDialog()
  const mails = useDialog()
  const history = useDialog()
  const credit = useCredit()
  const { sums, hasError, refetch } = useOrderSums()
  const figure = (text?: string) => text ?? (hasError ? 'Unknown' : null)
  return (
    <div className="stack gap-6">
      <Ticket aria-label="Member card">
        <TicketPart className="stack gap-4 roomy">
          <div className="row">
            <Avatar user={user} />
            <div className="grow grow--column">
              <h2 className="member__name">{nameOf(user)}</h2>
              <p className="muted small">
                {email.slice(0, email.lastIndexOf('@'))}
                <wbr />
                {email.slice(email.lastIndexOf('@'))}
              </p>
            </div>
          </div>
          <div className="row gap-2">
            {user.role !== 'member' && (
              <Badge look="accent" icon={<ShieldCheck className="icon" aria-hidden />}>
                {ROLE_NAMES[user.role]}
              </Badge>
            )}
            {user.emailVerified ? (
              <Badge look="completed" icon={<BadgeCheck className="icon" aria-hidden />}>
                Email Verified
              </Badge>
            ) : (
              <>
                <Badge look="pending" icon={<MailWarning className="icon" aria-hidden />}>
                  Email not verified
                </Badge>
                <VerifyButton />
              </>
            )}
            <Badge look="plain" icon={<CalendarDays className="icon" aria-hidden />}>
              Joined {formatDay(user.createdAt)}
            </Badge>
          </div>
        </TicketPart>
        <div className="ticket__part member__sums stack gap-4">
          <dl className="figures">
            <Figure name="Total Orders" value={figure(sums && String(sums.total))} />
            <Figure name="Total Spent" value={figure(sums && usd(toCents(sums.spent)))} />
            <Figure
              name="Store Credit"
              value={credit.data ? usd(toCents(credit.data.balance)) : credit.isError ? 'Unknown' : null}
            />
          </dl>
          {credit.data?.bonus && <BonusPromise bonus={credit.data.bonus} />}
          {hasError && (
            <p className="row row--between" role="alert">
              <span className="muted small">Couldn’t load your orders.</span>
              <Button tone="quiet" onClick={refetch}>
                Try again
              </Button>
            </p>
          )}
        </div>
        <TicketPart className="row gap-2 member__tools">
          <Button className="grow" onClick={profile.open}>
            Edit Profile
          </Button>
          <Button className="grow" onClick={mails.open}>
            Email Preferences
          </Button>
        </TicketPart>
      </Ticket>
      <div className="list">
        <PageLink Icon={Library} href="/library" name="Library" />
        <PageLink Icon={Heart} href="/wishlist" name="My Wishlist" />
        <PageLink Icon={Wallet} href="/profile/payments" name="Payment methods" />
        <button type="button" className="list__row" onClick={history.open}>
          <Coins className="icon" aria-hidden />
          <strong className="grow">Credit history</strong>
          <ChevronRight className="icon" aria-hidden />
        </button>
        {user.role !== 'member' && <PageLink Icon={ShieldCheck} href="/admin" name="Staff pages" />}
      </div>
      <section className="section" aria-labelledby="selling">
        <h2 id="selling">Selling</h2>
        <div className="list">
          {user.isSeller && <PageLink Icon={ChartNoAxesColumn} href="/selling" name="Overview" />}
          <PageLink Icon={Package} href="/my-products" name="My Products" />
          <PageLink Icon={Store} href="/selling/page" name="Seller page" />
        </div>
      </section>
      {profile.isWanted && <EditProfileDialog {...profile.props} user={user} />}
      {history.isWanted && <CreditDialog {...history.props} />}
      {mails.isWanted && <MailsDialog {...mails.props} email={email} isSeller={user.isSeller} />}
    </div>
  )
}

const PageLink = ({ Icon, href, name }: { Icon: LucideIcon; href: string; name: string }) => (
  <Link className="list__row" href={href}>
    <Icon className="icon" aria-hidden />
    <strong className="grow">{name}</strong>
    <ChevronRight className="icon" aria-hidden />
  </Link>
)

const Figure = ({ name, value }: { name: string; value: string | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? <Skeleton height="2rem" width="4rem" />}</dd>
  </div>
)
