import { useQuery } from '@tanstack/react-query'
import { describeKind } from '../../catalogue/badge/kindBadge.rules.ts'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { listOwnedParts } from './library.contract.ts'

export function BundleParts({ detail: { id, price, parts = [] } }: { detail: ProductDetail }) {
  const { data } = useQuery(query(listOwnedParts, { id }))
  const owned = parts.filter((part) => data?.ids.includes(part.id))
  const alone = parts.reduce((sum, part) => sum + toCents(part.price), 0)
  const saved = alone - toCents(price)
  return (
    <section className="stack" aria-labelledby="parts">
      <h2 id="parts" className="text-16">
        {parts.length} products in one
      </h2>
      <ul>
        {parts.map((part) => (
          <li key={part.id} className="list__row">
            <ProductImage product={{ ...part, id: part.coverId ?? part.id }} sizes="60px" className="thumb thumb--sm" />
            <span className="grow">
              <Link className="text-link" href={`/product/${part.id}`}>
                {part.title}
              </Link>
              <small>
                {describeKind(part.kind)}
                {data?.ids.includes(part.id) && '. You have it already'}
              </small>
            </span>
            <span className="money">{priceText(toCents(part.price))}</span>
          </li>
        ))}
      </ul>
      {saved > 0 && (
        <p className="small">
          Alone they cost <span className="num">{priceText(alone)}</span>. <strong>You save {priceText(saved)}.</strong>
        </p>
      )}
      {owned.length > 0 && (
        <p role="status" className="small">
          You have {owned.length === parts.length ? 'all' : `${owned.length} of ${parts.length}`} of these already.{' '}
          {owned.length === 1 ? 'Its copy is a gift' : 'Their copies are gifts'} for you to give away.
        </p>
      )}
    </section>
  )
}
