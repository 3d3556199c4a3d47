import './sales.css'
import { ChevronLeft } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { SaleRefunds } from '../../aftersale/sellerSales/SaleRefunds.tsx'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { isMissing } from '../../kit/call.client.ts'
import { signedCents, toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead, PageTitle } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { SellerTabs } from '../SellerTabs.tsx'
import { countryName } from './chart.rules.ts'
import { stepsOf } from './delivered.rules.ts'
import { SaleActs } from './SaleActs.tsx'
import { SaleBadge } from './SaleBadge.tsx'
import { getSale, type SaleDetail } from './sales.contract.ts'

const Messages = lazyPart(() => import('../messages/Messages.tsx'), 'Messages', <Skeleton height="8rem" />)
const SellerDispute = lazyPart(
  () => import('../../aftersale/sellerDisputes/SellerDispute.tsx'),
  'SellerDispute',
  <Skeleton height="16rem" />,
)

type SalePageProps = { id: string; /** Opens the seller’s conversation with the shop. */ onMessage: () => void }

export function SalePage({ id, onMessage }: SalePageProps) {
  const { data: sale, error, refetch } = useQuery({ ...query(getSale, { id }), refetchOnMount: 'always' })
  return (
    <div className="section gap-4">
      <SellerTabs />
      <Link href="/orders?tab=sales" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        All sales
      </Link>
      {sale ? (
        <>
          <PageHead title={`Sale ${sale.number}`} about={formatMoment(sale.soldAt)} />
          {sale.state === 'disputed' && <SellerDispute id={sale.id} />}
          <Facts sale={sale} refresh={refetch} onMessage={onMessage} />
        </>
      ) : isMissing(error) || (error?.message ?? '').startsWith('400') ? (
        <div className="card">
          <EmptyState
            scene="torn"
            title="Sale not found"
            isPage
            action={<LinkButton href="/orders?tab=sales">All sales</LinkButton>}
          >
            You have no sale at this address.
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

type FactsProps = { sale: SaleDetail; refresh: () => Promise<unknown>; onMessage: () => void }

const Facts = ({ sale, refresh, onMessage }: FactsProps) => (
  <div className="split">
    <Ticket aria-label="Sale">
      <TicketPart className="stack">
        <h2 className="text-16 wrap-anywhere">
          <Link className="link" href={`/my-products/${sale.productId}`}>
            {isolateRtl(sale.quantity > 1 ? `${sale.quantity} × ${sale.title}` : sale.title)}
          </Link>
        </h2>
        <span className="row gap-2">
          <SaleBadge state={sale.state} />
          <span className="muted small wrap-anywhere">{isolateRtl(sale.buyerName)}</span>
        </span>
      </TicketPart>
      <TicketPart>
        <Receipt sale={sale} />
        <SaleRefunds id={sale.id} />
      </TicketPart>
      <SaleActs sale={sale} refresh={refresh} onMessage={onMessage} />
    </Ticket>
    <div className="split__side">
      <section className="card stack gap-4" aria-labelledby="delivered">
        <h2 id="delivered" className="text-16">
          Delivered and opened
        </h2>
        <ol className="steps">
          {stepsOf(sale).map(({ what, when }) => (
            <li key={what}>
              {what}
              <small className="num">{when}</small>
            </li>
          ))}
        </ol>
      </section>
      <About sale={sale} />
      {!sale.isOwn && (
        <section className="card stack" aria-labelledby="sale-messages">
          <h2 id="sale-messages" className="text-16">
            Messages
          </h2>
          <Messages id={sale.id} />
        </section>
      )}
    </div>
  </div>
)

const Receipt = ({ sale: { listPrice, discount, amount, fee, refunded, refundedFee, net } }: { sale: SaleDetail }) => (
  <dl className="receipt">
    <Pair name="List price" value={usd(toCents(listPrice))} />
    {toCents(discount) > 0 && <Pair name="Discount" value={less(discount)} />}
    <Pair name="Revenue (paid by the buyer)" value={usd(toCents(amount))} />
    <Pair name="Store’s fee" value={less(fee)} />
    {toCents(refunded) > 0 && <Pair name="Refunded" value={less(refunded)} />}
    {toCents(refundedFee) > 0 && <Pair name="Fee returned" value={usd(toCents(refundedFee))} />}
    <Pair className="total" name="Net (you keep)" value={signed(net)} />
  </dl>
)

const About = ({ sale: { country, state, availableAt, license, buyerEmail } }: { sale: SaleDetail }) => (
  <dl className="card card--pairs pairs">
    <Pair name="Buyer’s country" value={countryName(country)} />
    {state === 'disputed' ? (
      <Pair name="Payout" value="Waits for the provider’s decision" />
    ) : (
      state !== 'refunded' && <Pair name="Can be paid out from" value={formatDay(availableAt)} />
    )}
    {license && (
      <>
        <Pair name="Key" value={<span className="mono">{license.masked}</span>} />
        <Pair name="Devices" value={`${license.devices.used} of ${license.devices.limit}`} />
        <Pair name="Key works until" value={license.expiresAt ? formatDay(license.expiresAt) : 'No end'} />
      </>
    )}
    {buyerEmail && <Pair name="Buyer’s email" value={buyerEmail} />}
  </dl>
)
