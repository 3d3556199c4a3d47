import { ChevronLeft } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { isMissing } from '../../kit/call.client.ts'
import { signedCents, toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead, PageTitle } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { countryName } from './chart.rules.ts'
import { SaleBadge } from './SaleBadge.tsx'
import { getSale, type SaleDetail } from './sales.contract.ts'

export function SalePage({ id }: { id: string }) {
  const { data: sale, error, refetch } = useQuery({ ...query(getSale, { id }), refetchOnMount: 'always' })
  return (
    <div className="section gap-4">
      <Link href="/orders?tab=sales" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        All sales
      </Link>
      {sale ? (
        <>
          <PageHead title={`Sale ${sale.number}`} about={formatMoment(sale.soldAt)} />
          <Facts sale={sale} />
        </>
      ) : isMissing(error) || (error?.message ?? '').startsWith('400') ? (
        <div className="card">
          <EmptyState
            scene="torn"
            title="Sale not found"
            isPage
            action={<LinkButton href="/orders?tab=sales">All sales</LinkButton>}
          >
            None of your sales has this address.
          </EmptyState>
        </div>
      ) : error ? (
        <>
          <PageTitle title="Sale" className="sr" />
          <ErrorState title="Couldn’t load this sale" onRetry={() => void refetch()} />
        </>
      ) : (
        <>
          <PageTitle title="Sale" className="sr" />
          <Skeleton height="20rem" />
        </>
      )}
    </div>
  )
}

const signed = (decimal: string) => signedUsd(signedCents(decimal))
const less = (decimal: string) => (toCents(decimal) === 0 ? usd(0) : `−${usd(toCents(decimal))}`)

function Facts({ sale }: { sale: SaleDetail }) {
  const { productId, title, quantity, amount, fee, refunded, refundedFee, net, state, country, buyerEmail } = sale
  return (
    <>
      <div className="card stack">
        <h2 className="text-16 wrap-anywhere">
          <Link className="link" href={`/my-products/${productId}`}>
            {isolateRtl(quantity > 1 ? `${quantity} × ${title}` : title)}
          </Link>
        </h2>
        <span>
          <SaleBadge state={state} />
        </span>
        <dl className="receipt">
          <Pair name="Paid by the buyer" value={usd(toCents(amount))} />
          <Pair name="Store’s fee" value={less(fee)} />
          {toCents(refunded) > 0 && <Pair name="Returned to the buyer" value={less(refunded)} />}
          {toCents(refundedFee) > 0 && <Pair name="Fee returned to you" value={usd(toCents(refundedFee))} />}
          <Pair className="total" name="You keep" value={signed(net)} />
        </dl>
      </div>
      <dl className="card card--pairs pairs">
        <Pair name="Buyer’s country" value={countryName(country)} />
        {state === 'disputed' ? (
          <Pair name="Payout" value="Waits for the provider’s decision" />
        ) : (
          state !== 'refunded' && <Pair name="Can be paid out from" value={formatDay(sale.availableAt)} />
        )}
        {buyerEmail && <Pair name="Buyer’s e-mail" value={buyerEmail} />}
      </dl>
    </>
  )
}
