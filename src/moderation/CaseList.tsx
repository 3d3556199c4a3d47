import type { ReactNode } from 'react'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Link } from '../ui/Link.tsx'
import type { CaseBrief } from './moderation.contract.ts'
import { describeCase } from './case.rules.ts'

type CaseListProps = { cases: CaseBrief[]; openId: string; more: ReactNode }

export const CaseList = ({ cases, openId, more }: CaseListProps) => (
  <ul className="inbox__list" aria-label="Reports">
    {cases.map((one) => (
      <li key={one.id}>
        <Link className="conv" href={`/admin/reports/${one.id}`} aria-current={one.id === openId || undefined}>
          <ProductImage product={{ ...one, id: one.productId }} sizes="3.25rem" className="case__thumb" />
          <span className="grow">
            <strong>
              <span className="clamp-2">{one.title}</span>
            </strong>
            <span className="clamp-2 conv__last">{describeCase(one)}</span>
          </span>
          <time dateTime={one.lastAt}>{formatMoment(one.lastAt)}</time>
        </Link>
      </li>
    ))}
    {more && <li className="row row--center inbox__more">{more}</li>}
  </ul>
)
