import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { lazyPart } from '../ui/lazyPart.tsx'
import { RowsSkeleton } from './StaffPage.tsx'

const waiting = <RowsSkeleton label="Loading" />

const OrderPage = lazyPart(() => import('./orders/AdminOrderPage.tsx'), 'AdminOrderPage', waiting)

const MemberPage = lazyPart(() => import('./members/MemberPage.tsx'), 'MemberPage', waiting)

const DisputePage = lazyPart(() => import('./disputes/DisputePage.tsx'), 'DisputePage', waiting)

const pages: Record<string, ComponentType<{ id: string }>> = {
  '': lazyPart(() => import('./waiting/OverviewPage.tsx'), 'OverviewPage', waiting),
  chat: lazyPart(() => import('./AdminChatPage.tsx'), 'AdminChatPage', waiting),
  answers: lazyPart(() => import('./AnswersPage.tsx'), 'AnswersPage', waiting),
  orders: lazyPart(() => import('./orders/AdminOrdersPage.tsx'), 'AdminOrdersPage', waiting),
  members: lazyPart(() => import('./members/MembersPage.tsx'), 'MembersPage', waiting),
  reports: lazyPart(() => import('./ReportsPage.tsx'), 'ReportsPage', waiting),
  'code-cases': lazyPart(() => import('./CodeCasesPage.tsx'), 'CodeCasesPage', waiting),
  categories: lazyPart(() => import('./AdminCategoriesPage.tsx'), 'AdminCategoriesPage', waiting),
  supply: lazyPart(() => import('./AdminSupplyPage.tsx'), 'AdminSupplyPage', waiting),
  disputes: lazyPart(() => import('./disputes/DisputesPage.tsx'), 'DisputesPage', waiting),
  payouts: lazyPart(() => import('./payouts/AdminPayoutsPage.tsx'), 'AdminPayoutsPage', waiting),
  transfers: lazyPart(() => import('./transfers/AdminTransfersPage.tsx'), 'AdminTransfersPage', waiting),
  risk: lazyPart(() => import('./AdminRiskPage.tsx'), 'AdminRiskPage', waiting),
  errors: lazyPart(() => import('./ErrorsPage.tsx'), 'ErrorsPage', waiting),
  audit: lazyPart(() => import('./audit/AuditPage.tsx'), 'AuditPage', waiting),
}

const ONE: Record<string, ComponentType<{ id: string }>> = {
  orders: OrderPage,
  members: MemberPage,
  disputes: DisputePage,
}

/** Only this module has the names of staff pages, so that shoppers do not load them. */
export function AnyStaffPage({ id }: { id: string }) {
  const [path] = useLocation()
  const word = path.split('/')[2] ?? ''
  const Page = (id && ONE[word]) || pages[word]!
  return <Page id={id} />
}
