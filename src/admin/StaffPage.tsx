import './admin.css'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '../identity/sessions/useSession.ts'
import { StaffGate } from '../identity/StaffGate.tsx'
import { isAllowed } from '../kit/contract.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { pagesOf } from './adminPages.ts'

const NAMES: Record<string, string> = {
  '/admin/chat': 'Support inbox',
  '/admin/answers': 'Assistant',
  '/admin/orders': 'Orders',
  '/admin/reports': 'Reports',
  '/admin/code-cases': 'Bad codes',
  '/admin/risk': 'Risk',
  '/admin/disputes': 'Disputes',
  '/admin/payouts': 'Payouts',
  '/admin/transfers': 'USDC',
  '/admin/categories': 'Categories',
  '/admin/supply': 'Supplier',
  '/admin/errors': 'Errors',
  '/admin/audit': 'Audit log',
}

const LedgerBanner = lazyPart(() => import('./LedgerBanner.tsx'), 'LedgerBanner')
const DisputeBanner = lazyPart(() => import('./disputes/DisputeBanner.tsx'), 'DisputeBanner')
const AskFactor = lazyPart(() => import('./AskFactor.tsx'), 'AskFactor')

type StaffPageProps = {
  title: string
  about?: ReactNode
  action?: ReactNode
  /** Between the links and the title. */
  back?: ReactNode
  hasNav?: boolean
  children: ReactNode
}

export function StaffPage({ title, about, action, back, hasNav = true, children }: StaffPageProps) {
  const { user } = useSession()
  return (
    <StaffGate nav={<AdminNav />}>
      <div className="section gap-4">
        {hasNav && <AdminNav />}
        {hasNav && user?.needsFactor && <AskFactor />}
        {hasNav && user && isAllowed('finance', user.role) && <LedgerBanner />}
        {hasNav && user && isAllowed('finance', user.role) && <DisputeBanner />}
        {back}
        <PageHead title={title} about={about} action={action} />
        {children}
      </div>
    </StaffGate>
  )
}

/** Links between the staff pages. Phones scroll it sideways. */
function AdminNav() {
  const [path] = useLocation()
  const { user } = useSession()
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const chosen = nav.current?.querySelector<HTMLElement>('[aria-current]')
    // scrollIntoView would scroll the page too
    if (chosen) nav.current!.scrollLeft = chosen.offsetLeft - (nav.current!.clientWidth - chosen.offsetWidth) / 2
  }, [path])
  return (
    <nav ref={nav} className="segment segment--scroll" aria-label="Staff pages">
      {pagesOf(user?.role ?? 'member').map((href) => (
        <Link key={href} href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
          {NAMES[href]}
        </Link>
      ))}
    </nav>
  )
}

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

/** Five rows while a list loads; `children` are the placeholders in each row. */
export const RowsSkeleton = ({ label, list = 'list', row = 'list__row', children = TWO_LINES }: RowsSkeletonProps) => (
  <div className={list} role="status" aria-label={label}>
    {[0, 1, 2, 3, 4].map((i) => (
      <div key={i} className={row}>
        {children}
      </div>
    ))}
  </div>
)
