import './admin.css'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '../identity/sessions/useSession.ts'
import { StaffGate } from '../identity/StaffGate.tsx'
import { isAllowed } from '../kit/contract.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { useIsDesktop } from '../ui/useMatches.ts'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { isAtPage } from './adminPages.ts'
import { placesOf } from './staffPlaces.client.ts'
import { useWaitingByPage } from './waiting/useWaiting.ts'

const LedgerBanner = lazyPart(() => import('./LedgerBanner.tsx'), 'LedgerBanner')
const AskFactor = lazyPart(() => import('./AskFactor.tsx'), 'AskFactor')

type StaffPageProps = {
  title: string
  about?: ReactNode
  action?: ReactNode
  back?: ReactNode
  hasNav?: boolean
  children: ReactNode
}

/** Pages that show a banner if the ledger breaks a rule: the overview and those about money. */
const MONEY_PAGES = ['/admin', '/admin/payouts', '/admin/disputes', '/admin/transfers']

export function StaffPage({ title, about, action, back, hasNav = true, children }: StaffPageProps) {
  const { user } = useSession()
  const [path] = useLocation()
  const isFinance = hasNav && user !== null && isAllowed('finance', user.role)
  const isOverview = isAtPage(path, '/admin')
  return (
    <StaffGate nav={<AdminNav />}>
      <div className="section gap-4">
        {hasNav && <AdminNav />}
        {isOverview && user?.needsFactor && <AskFactor />}
        {isFinance && MONEY_PAGES.some((href) => isAtPage(path, href)) && <LedgerBanner />}
        {back}
        <PageHead title={title} about={about} action={action} />
        {children}
      </div>
    </StaffGate>
  )
}

/** The pages of staff as one menu. On a desktop they are in the rail of the shell. */
function AdminNav() {
  const [path] = useLocation()
  const { user } = useSession()
  const isDesktop = useIsDesktop()
  const waiting = useWaitingByPage()
  if (isDesktop) return null
  const groups = placesOf(user?.role ?? 'member')
  const here = groups.flatMap(({ places }) => places).find(({ href }) => isAtPage(path, href))
  const total = [...waiting.values()].reduce((sum, count) => sum + count, 0)
  return (
    <nav className="staff-nav" aria-label="Staff pages">
      {/* another page closes the menu */}
      <details key={path}>
        <summary>
          <span className="grow">{here?.name ?? 'Staff pages'}</span>
          <Waits count={total} />
          <ChevronDown className="icon" aria-hidden />
        </summary>
        {groups.map(({ title, places }) => (
          <div key={title}>
            <h2>{title}</h2>
            <div className="staff-nav__links">
              {places.map(({ href, name, Icon }) => (
                <Link key={href} href={href} aria-current={href === here?.href ? 'page' : undefined}>
                  <Icon className="icon icon--sm" aria-hidden />
                  {name}
                  <Waits count={waiting.get(href)} />
                </Link>
              ))}
            </div>
          </div>
        ))}
      </details>
    </nav>
  )
}

const Waits = ({ count = 0 }: { count?: number | undefined }) =>
  count > 0 && (
    <span className="staff-nav__count">
      {count > 99 ? '99+' : count}
      <span className="sr"> waiting</span>
    </span>
  )

const TWO_LINES = (
  <>
    <span className="stack grow gap-2">
      <Skeleton height="1rem" width="60%" />
      <Skeleton height="1rem" width="40%" />
    </span>
    <Skeleton height="1rem" width="4rem" />
  </>
)

type RowsSkeletonProps = { label: string; list?: string; row?: string; children?: ReactNode }

export const RowsSkeleton = ({ label, list = 'list', row = 'list__row', children = TWO_LINES }: RowsSkeletonProps) => (
  <div className={list} role="status" aria-label={label}>
    {[0, 1, 2, 3, 4].map((i) => (
      <div key={i} className={row}>
        {children}
      </div>
    ))}
  </div>
)
