import '../ui/tabs.css'
import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Link } from '../ui/Link.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'

const Suspended = lazyPart(() => import('./Suspended.tsx'), 'Suspended')

const TABS = [
  ['Library', '/library'],
  ['Orders', '/orders'],
  ['Sales', '/orders?tab=sales'],
  ['Products', '/my-products'],
  ['Balance', '/balance'],
  ['Discounts', '/discounts'],
  ['Bad codes', '/bad-codes'],
  ['Webhooks', '/webhooks'],
] as const

export function SellerTabs() {
  const [path] = useLocation()
  const [search] = useSearchParams()
  const isSales = path.startsWith('/sales/') || (path === '/orders' && search.get('tab') === 'sales')
  const place = isSales ? '/orders?tab=sales' : path
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const [here] = row.current!.getElementsByClassName('is-here')
    if (here instanceof HTMLElement) row.current!.scrollLeft = here.offsetLeft - row.current!.clientWidth / 3
  }, [])
  return (
    <>
      <nav className="tabs" aria-label="Orders and selling" ref={row}>
        {TABS.map(([name, href]) => {
          const isHere = place === href || place.startsWith(`${href}/`)
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
