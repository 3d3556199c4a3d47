import { Fragment } from 'react'
import { useLocation } from 'wouter'
import { isAtPage } from '../../admin/adminPages.ts'
import { placesOf } from '../../admin/staffPlaces.client.ts'
import { useWaitingByPage } from '../../admin/waiting/useWaiting.ts'
import type { Role } from '../../kit/contract.ts'
import { Link } from '../../ui/Link.tsx'

/** The pages of staff with their open items, instead of the categories. */
export function StaffRail({ role }: { role: Role }) {
  const [path] = useLocation()
  const waiting = useWaitingByPage()
  return (
    <nav className="nav__more" aria-label="Staff pages">
      {placesOf(role).map(({ title, places }) => (
        <Fragment key={title}>
          <h2>{title}</h2>
          {places.map(({ href, name, Icon }) => (
            <Link key={href} className="nav__sub" href={href} aria-current={isAtPage(path, href) ? 'page' : undefined}>
              <Icon className="icon icon--sm" aria-hidden />
              {name}
              <Due count={waiting.get(href)} />
            </Link>
          ))}
        </Fragment>
      ))}
    </nav>
  )
}

const Due = ({ count = 0 }: { count?: number | undefined }) =>
  count > 0 && (
    <span className="count count--due">
      {count > 99 ? '99+' : count}
      <span className="sr"> waiting</span>
    </span>
  )
