import {
  BookOpen,
  ChartNoAxesColumn,
  House,
  IdCard,
  type LucideIcon,
  ReceiptText,
  ShoppingBag,
  UserRound,
} from 'lucide-react'
import { useLocation, useSearchParams } from 'wouter'
import { isStaffPath, pagesOf } from '../../admin/adminPages.ts'
import { hueOf } from '../../catalogue/hue.client.ts'
import { readFilters, shelfPath } from '../../catalogue/shelf/shelf.rules.ts'
import { useCategories } from '../../catalogue/useCatalogue.ts'
import { Avatar } from '../../identity/accounts/Avatar.tsx'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { Brand } from './Brand.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { useIsDesktop } from '../../ui/useMatches.ts'

const StaffRail = lazyPart(() => import('./StaffRail.tsx'), 'StaffRail')

type Entry = { href: string; name: string; Icon: LucideIcon; places: RegExp }

const entries: Entry[] = [
  { href: '/', name: 'Home', Icon: House, places: /^\/$/ },
  { href: '/categories', name: 'Shop', Icon: ShoppingBag, places: /^\/(categories|product)\b/ },
  {
    href: '/orders',
    name: 'Orders',
    Icon: ReceiptText,
    places: /^\/(orders|library|sales|selling|my-products|balance|discounts|bad-codes|webhooks)\b/,
  },
  { href: '/profile', name: 'Profile', Icon: UserRound, places: /^\/(profile|settings|help)\b/ },
]
const selling: Entry = {
  href: '/selling',
  name: 'Selling',
  Icon: ChartNoAxesColumn,
  places: /^\/(selling|sales|my-products|balance|discounts|bad-codes|webhooks)\b|^\/orders\?tab=sales/,
}
const staffEntry = { name: 'Staff', Icon: IdCard, places: /^\/admin\b/ }

export function Nav({ user }: { user: CurrentUser }) {
  const [path] = useLocation()
  const [search] = useSearchParams()
  const isDesktop = useIsDesktop()
  const own = isDesktop && user.isSeller ? selling : undefined
  const address = search.get('tab') === 'sales' ? `${path}?tab=sales` : path
  const first = isDesktop ? pagesOf(user.role)[0] : undefined
  const staff: Entry | undefined = first === undefined ? undefined : { ...staffEntry, href: first }
  const isHere = (entry: Entry) => {
    if (staff && isStaffPath(path)) return entry === staff
    if (own?.places.test(address)) return entry === own
    return entry.places.test(path)
  }
  return (
    <nav className="nav" aria-label="Main">
      <div className="nav__brand">
        <Link className="brand" href="/">
          <Brand />
        </Link>
      </div>
      <div className="nav__list">
        {[...entries, ...(own ? [own] : []), ...(staff ? [staff] : [])].map((entry) => (
          <Link
            key={entry.href}
            className="nav__link"
            href={entry.href}
            aria-current={isHere(entry) ? 'page' : undefined}
          >
            <entry.Icon className="icon" aria-hidden />
            <span>{entry.name}</span>
          </Link>
        ))}
      </div>
      {isDesktop && (
        <div className="nav__more">
          <h2>Yours</h2>
          <Link className="nav__sub" href="/library" aria-current={path === '/library' || undefined}>
            <BookOpen className="icon icon--sm" aria-hidden />
            Library
          </Link>
        </div>
      )}
      {isDesktop &&
        (staff && isStaffPath(path) ? (
          <StaffRail role={user.role} />
        ) : (
          <RailCategories isShelf={path === '/categories'} />
        ))}
      {isDesktop && (
        <Link className="nav__me" href="/settings">
          <Avatar user={user} isSmall />
          <span>
            {nameOf(user)}
            <small>Settings</small>
          </span>
        </Link>
      )}
    </nav>
  )
}

function RailCategories({ isShelf }: { isShelf: boolean }) {
  const { data: categories } = useCategories()
  const [search] = useSearchParams()
  const chosen = isShelf ? readFilters(search).categoryId : null
  return (
    <div className="nav__more">
      <h2>Categories</h2>
      {categories?.map(({ id, name, productCount }) => (
        <Link
          key={id}
          className="nav__sub"
          style={hueOf(id)}
          href={shelfPath({ categoryId: id })}
          aria-current={chosen === id || undefined}
        >
          <span className="dot" />
          {name}
          <span className="count" aria-label={`${productCount} products`}>
            {productCount}
          </span>
        </Link>
      ))}
    </div>
  )
}
