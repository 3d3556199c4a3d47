import { X } from 'lucide-react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { signedCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { signedUsd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { SaleBadge } from './SaleBadge.tsx'
import { SALES_STEP } from './sales.contract.ts'
import { type SalesFilter, useSalesList } from './useSales.ts'

const STATES = [
  [undefined, 'All'],
  ['paid', 'Paid'],
  ['refunded', 'Refunded'],
] as const

const short = (title: string) => (title.length > 20 ? `${title.slice(0, 19).trimEnd()}…` : title)

type SaleListProps = {
  filter: SalesFilter
  onFilter: (changes: Record<'state' | 'product', string | null> | Record<string, string | null>) => void
}

export function SaleList({ filter, onFilter }: SaleListProps) {
  const { items: sales, total, isPending, hasError, refetch, readMore, isReadingMore } = useSalesList(filter)
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more sales. Please try again.'),
  )
  return (
    <section className="section" aria-labelledby="latest-sales">
      <div className="section__head">
        <h2 id="latest-sales">Latest sales</h2>
        <span className="muted small num" role="status">
          {isPending || hasError ? '' : `${total.toLocaleString('en')} sale${total === 1 ? '' : 's'}`}
        </span>
      </div>
      <div className="chips" role="group" aria-label="Which sales">
        {STATES.map(([state, name]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={state === filter.state}
            onClick={() => onFilter({ state: state ?? null })}
          >
            {name}
          </button>
        ))}
        {filter.productId && (
          <button
            type="button"
            className="chip"
            aria-pressed
            aria-label={`Only ${short(sales[0]?.title ?? 'one product')}: show all products`}
            onClick={() => onFilter({ product: null })}
          >
            Only {short(sales[0]?.title ?? 'one product')}
            <X className="icon icon--sm" aria-hidden />
          </button>
        )}
      </div>
      {isPending ? (
        <Skeleton height="12rem" />
      ) : hasError ? (
        <ErrorState title="Couldn’t load the list" onRetry={refetch} />
      ) : sales.length === 0 ? (
        <p className="card muted small">No sales match.</p>
      ) : (
        <ul className="list" ref={list}>
          {sales.map(({ id, title, quantity, soldAt, net, state, buyerName }) => (
            <li key={id} className="list__row row--wrap">
              <span className="grow wrap-anywhere">
                <Link className="link" href={`/sales/${id}`}>
                  {isolateRtl(quantity > 1 ? `${quantity} × ${title}` : title)}
                </Link>
                <small>{isolateRtl(buyerName)}</small>
                <small>{formatMoment(soldAt)}</small>
              </span>
              <span className="share-sum">
                <strong className="num">{signedUsd(signedCents(net))}</strong>
                <SaleBadge state={state} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {readMore && (
        <div className="row row--center more">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show {Math.min(SALES_STEP, total - sales.length)} more
          </Button>
        </div>
      )}
    </section>
  )
}
