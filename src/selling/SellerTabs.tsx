import '../ui/tabs.css'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Link } from '../ui/Link.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'

const Suspended = lazyPart(() => import('./Suspended.tsx'), 'Suspended')

type Tab = { name: string; href: string; places: RegExp }

const TABS: Tab[] = [
  { name: 'Overview', href: '/selling', places: /^\/selling$/ },
  { name: 'Products', href: '/my-products', places: /^\/my-products\b/ },
  { name: 'Sales', href: '/orders?tab=sales', places: /^\/(orders|sales)\b/ },
  { name: 'Money', href: '/balance', places: /^\/balance\b/ },
  { name: 'Customers', href: '/selling/customers', places: /^\/selling\/customers\b/ },
  { name: 'More', href: '/selling/more', places: /^\/(selling\/more|selling\/page|discounts|bad-codes|webhooks)\b/ },
]

export function SellerTabs() {
  const [path] = useLocation()
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const [here] = row.current!.getElementsByClassName('is-here')
    if (here instanceof HTMLElement) row.current!.scrollLeft = here.offsetLeft - row.current!.clientWidth / 3
  }, [])
  return (
    <>
      <nav className="tabs" aria-label="Selling" ref={row}>
        {TABS.map(({ name, href, places }) => {
          const isHere = places.test(path)
          return (
            <Link
              key={href}
              href={href}
              className={isHere ? 'is-here' : undefined}
              aria-current={isHere ? 'page' : undefined}
            >
              {name}
            </Link>
          )
        })}
      </nav>
      <Suspended />
    </>
  )
}

/** A page of selling whose script is loading. */
export const SellerPageWaiting = ({ height }: { height: string }) => (
  <div className="section gap-4">
    <SellerTabs />
    <div role="status" aria-label="Loading">
      <Skeleton height={height} />
    </div>
  </div>
)
