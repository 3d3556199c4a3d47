import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { lazyPart } from '../ui/lazyPart.tsx'
import { SellerPageWaiting } from './SellerTabs.tsx'

const waiting = <SellerPageWaiting height="30rem" />

const pages: Record<string, ComponentType> = {
  '/selling': lazyPart(() => import('./overview/OverviewPage.tsx'), 'OverviewPage', waiting),
  '/selling/more': lazyPart(() => import('./overview/MorePage.tsx'), 'MorePage', waiting),
  '/selling/page': lazyPart(() => import('./storefront/StorefrontPage.tsx'), 'StorefrontPage', waiting),
  '/webhooks': lazyPart(() => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage', waiting),
  '/discounts': lazyPart(() => import('./discounts/DiscountsPage.tsx'), 'DiscountsPage', waiting),
  '/bad-codes': lazyPart(() => import('./cases/SellerCasesPage.tsx'), 'SellerCasesPage', waiting),
}

/** Lists these pages here, so that the script that shoppers load does not contain them. */
export function SellerToolPage() {
  const [path] = useLocation()
  const Page = pages[path.replace(/\/$/, '')]!
  return <Page />
}
