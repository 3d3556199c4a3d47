import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Link } from '../../ui/Link.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { type DiscountUse, listDiscountUses, USES_STEP } from './discountUses.contract.ts'

type DiscountUsesProps = {
  /** The id of the code. */ id: string
  /** True if the form around the list has unsaved changes. */ isDirty: boolean
  /** Runs when a link leaves the dialog. */ onLeave: () => void
}

/** The orders that used a code, each with a link to its sale. */
export const DiscountUses = (props: DiscountUsesProps) => (
  <section className="stack gap-2" aria-labelledby="code-uses">
    <h3 id="code-uses" className="text-16">
      Who used it
    </h3>
    <Uses {...props} />
  </section>
)

function Uses({ id, isDirty, onLeave }: DiscountUsesProps) {
  const uses = useList<DiscountUse>({
    ...pagesOf(listDiscountUses, { id, limit: USES_STEP }),
    refetchOnMount: 'always',
  })
  const { items, total, isPending, hasError, refetch, readMore, isReadingMore } = uses
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more uses. Please try again.'),
  )
  if (isPending) return <Skeleton height="4rem" />
  if (hasError) return <ErrorState title="Couldn’t load who used it" onRetry={refetch} />
  if (items.length === 0) return <p className="muted small">No paid or waiting order uses it.</p>
  return (
    <>
      <ul className="list" ref={list}>
        {items.map(({ number, usedAt, paid, sale }) => (
          <li key={number} className="list__row">
            <span className="grow wrap-anywhere">
              {sale ? (
                <SaleLink href={`/sales/${sale.id}`} isDirty={isDirty} onLeave={onLeave}>
                  {sale.isOwn ? 'You' : isolateRtl(sale.buyerName)}
                </SaleLink>
              ) : (
                <strong>Not paid yet</strong>
              )}
              <small>{formatMoment(usedAt)}</small>
            </span>
            <span className="num">{usd(toCents(paid))}</span>
          </li>
        ))}
      </ul>
      {readMore && (
        <div className="row row--center">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show {Math.min(USES_STEP, total - items.length)} more
          </Button>
        </div>
      )}
    </>
  )
}

type SaleLinkProps = Omit<DiscountUsesProps, 'id'> & { href: string; children: string }

/** With unsaved changes, the link loads a new document, so that the browser asks before it discards them. */
const SaleLink = ({ href, isDirty, onLeave, children }: SaleLinkProps) =>
  isDirty ? (
    <a className="link" href={href}>
      {children}
    </a>
  ) : (
    <Link className="link" href={href} onClick={onLeave}>
      {children}
    </Link>
  )
