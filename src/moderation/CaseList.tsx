import type { ReactNode } from 'react'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { useSession } from '../identity/sessions/useSession.ts'
import { useNow } from '../kit/useNow.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Link } from '../ui/Link.tsx'
import type { CaseBrief } from './moderation.contract.ts'
import { describeCase } from './case.rules.ts'

type CaseListProps = { cases: CaseBrief[]; openId: string; more: ReactNode }

export function CaseList({ cases, openId, more }: CaseListProps) {
  const now = useNow(60_000)
  const { user } = useSession()
  return (
    <ul className="inbox__list" aria-label="Reports">
      {cases.map((one) => (
        <li key={one.id}>
          <Link className="conv" href={`/admin/reports/${one.id}`} aria-current={one.id === openId || undefined}>
            <ProductImage product={{ ...one, id: one.productId }} sizes="3.25rem" className="case__thumb" />
            <span className="grow">
              <strong>
                <span className="clamp-2">{one.title}</span>
              </strong>
              <span className="clamp-2 conv__last">{describeCase(one, now)}</span>
              {one.takenBy && (
                <span className="clamp-1 small muted">{one.takenBy === user?.email ? 'Yours' : one.takenBy}</span>
              )}
            </span>
            <time dateTime={one.lastAt}>{formatMoment(one.lastAt)}</time>
          </Link>
        </li>
      ))}
      {more && <li className="row row--center inbox__more">{more}</li>}
    </ul>
  )
}
