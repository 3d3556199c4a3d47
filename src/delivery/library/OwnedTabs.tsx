import '../../ui/tabs.css'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Link } from '../../ui/Link.tsx'

const TABS = [
  { name: 'Library', href: '/library' },
  { name: 'Orders', href: '/orders' },
]
const SELLING = { name: 'Selling', href: '/selling' }

/** What a member owns and bought. Sellers have their tabs on the other pages. */
export function OwnedTabs({ here }: { here: 'Library' | 'Orders' }) {
  const { user } = useSession()
  return (
    <nav className="tabs" aria-label="Library and orders">
      {[...TABS, ...(user?.isSeller ? [SELLING] : [])].map(({ name, href }) => (
        <Link
          key={href}
          href={href}
          className={name === here ? 'is-here' : undefined}
          aria-current={name === here ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
