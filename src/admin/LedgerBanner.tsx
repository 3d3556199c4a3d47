import { useLocation } from 'wouter'
import { plural } from '../localisation/plural.rules.ts'
import { Link } from '../ui/Link.tsx'
import { isAtPage } from './adminPages.ts'
import { useBreaches } from './useBreaches.ts'

/** Shows that the ledger breaks a rule, and leads to the list of broken rules on the overview. */
export function LedgerBanner() {
  const { data: breaches = [] } = useBreaches()
  const [path] = useLocation()
  if (breaches.length === 0) return null
  return (
    <p className="banner" role="alert">
      <strong className="grow">
        {plural(breaches.length, 'ledger rule')} broken. Stop payouts until you know why.
      </strong>
      {isAtPage(path, '/admin') ? (
        <a className="text-link" href="#health">
          Details
        </a>
      ) : (
        <Link className="text-link" href="/admin">
          Details
        </Link>
      )}
    </p>
  )
}
