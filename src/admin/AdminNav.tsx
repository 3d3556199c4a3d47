import './admin.css'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Link } from '../ui/Link.tsx'
import { ADMIN_PAGES } from './adminPages.ts'

/** Links between the staff pages, hidden while there is only one. Phones scroll it sideways. */
export function AdminNav() {
  const [path] = useLocation()
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const chosen = nav.current?.querySelector<HTMLElement>('[aria-current]')
    // scrollIntoView would scroll the page too
    if (chosen) nav.current!.scrollLeft = chosen.offsetLeft - (nav.current!.clientWidth - chosen.offsetWidth) / 2
  }, [path])
  if (ADMIN_PAGES.length < 2) return null
  return (
    <nav ref={nav} className="segment segment--scroll" aria-label="Staff pages">
      {ADMIN_PAGES.map(({ href, name }) => (
        <Link key={href} href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
