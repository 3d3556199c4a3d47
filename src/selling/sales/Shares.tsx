import type { ReactNode } from 'react'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Link } from '../../ui/Link.tsx'
import { countryName, describeShare, shareOf } from './chart.rules.ts'
import type { SalesSummary } from './sales.contract.ts'

type SharesProps = {
  /** The revenue of all products, in cents. */
  revenue: number
}

export function TopProducts({
  products,
  revenue,
  onOnly,
}: SharesProps & { products: SalesSummary['products']; onOnly: (productId: string) => void }) {
  return (
    <section className="section" aria-labelledby="top-products">
      <div className="section__head">
        <h2 id="top-products">Top products</h2>
        <Link className="link" href="/my-products?sort=sales">
          All products
        </Link>
      </div>
      {products.length === 0 ? (
        <p className="card muted small">Nothing was sold in this period.</p>
      ) : (
        <ol className="list">
          {products.map(({ product, sales, views, ...row }) => (
            <Share key={product.id} cents={toCents(row.revenue)} of={revenue}>
              <ProductImage product={product} sizes="4rem" className="thumb thumb--sm" />
              <span className="grow wrap-anywhere">
                <button
                  type="button"
                  className="link"
                  aria-label={`Sales of ${product.title}`}
                  onClick={() => onOnly(product.id)}
                >
                  {product.title}
                </button>
                <small className="num">
                  {sales.toLocaleString('en')} sale{sales === 1 ? '' : 's'}, {views.toLocaleString('en')} view
                  {views === 1 ? '' : 's'}
                </small>
              </span>
            </Share>
          ))}
        </ol>
      )}
    </section>
  )
}

export const Countries = ({ countries, revenue }: SharesProps & { countries: SalesSummary['countries'] }) => (
  <section className="section" aria-labelledby="countries">
    <div className="section__head">
      <h2 id="countries">Countries</h2>
    </div>
    {countries.length === 0 ? (
      <p className="card muted small">Nothing was sold in this period.</p>
    ) : (
      <ol className="list">
        {countries.map(({ code, orders, ...row }) => (
          <Share key={code} cents={toCents(row.revenue)} of={revenue}>
            <span className="grow">
              <strong>{countryName(code)}</strong>
              <small className="num">
                {orders.toLocaleString('en')} order{orders === 1 ? '' : 's'}
              </small>
            </span>
          </Share>
        ))}
      </ol>
    )}
  </section>
)

const Share = ({ cents, of, children }: { cents: number; of: number; children: ReactNode }) => (
  <li>
    <div className="list__row row--wrap">
      {children}
      <span className="share-sum num">
        <strong>{usd(cents)}</strong>
        <small>{describeShare(shareOf(cents, of))}</small>
      </span>
    </div>
    <span className="share" aria-hidden>
      <i style={{ width: `${of === 0 ? 0 : (cents / of) * 100}%` }} />
    </span>
  </li>
)
