import './customers.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { isMissing } from '../../kit/call.client.ts'
import { signedCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { signedUsd } from '../../localisation/usd.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead, PageTitle } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { SaleBadge } from '../sales/SaleBadge.tsx'
import { SellerTabs } from '../SellerTabs.tsx'
import { type CustomerDetail, getCustomer, MANY_SALES } from './customers.contract.ts'

const CustomerNote = lazyPart(() => import('./CustomerNote.tsx'), 'CustomerNote', <Skeleton height="12rem" />)
const Messages = lazyPart(() => import('../messages/Messages.tsx'), 'Messages', <Skeleton height="8rem" />)

export function CustomerPage({ id }: { id: string }) {
  const { data: customer, error, refetch } = useQuery({ ...query(getCustomer, { id }), refetchOnMount: 'always' })
  return (
    <div className="section gap-4">
      <SellerTabs />
      <Link href="/selling/customers" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        All customers
      </Link>
      {customer ? (
        <>
          <PageHead
            title={isolateRtl(customer.name)}
            about={customer.email && <span className="wrap-anywhere">{customer.email}</span>}
          />
          <div className="split">
            <Bought customer={customer} />
            <div className="split__side">
              <dl className="card card--pairs pairs">
                <Pair name="Net" value={signedUsd(signedCents(customer.net))} />
                <Pair name="Sales" value={customer.sales.toLocaleString('en')} />
                <Pair name="First sale" value={formatDay(customer.firstAt)} />
                <Pair name="Last sale" value={formatDay(customer.lastAt)} />
              </dl>
              <CustomerNote customer={customer} reload={async () => (await refetch()).data ?? null} />
              <CustomerMessages customer={customer} />
            </div>
          </div>
        </>
      ) : isMissing(error) ? (
        <div className="card">
          <EmptyState
            scene="torn"
            title="Customer not found"
            isPage
            action={<LinkButton href="/selling/customers">All customers</LinkButton>}
          >
            You have no customer at this address.
          </EmptyState>
        </div>
      ) : (
        <>
          <PageTitle title="Customer" className="sr" />
          {error ? (
            <ErrorState title="Couldn’t load this customer" onRetry={() => void refetch()} />
          ) : (
            <Skeleton height="20rem" />
          )}
        </>
      )}
    </div>
  )
}

const Bought = ({ customer: { bought, sales } }: { customer: CustomerDetail }) => (
  <section className="section" aria-labelledby="bought">
    <h2 id="bought">Bought</h2>
    <ul className="list">
      {bought.map(({ id, title, quantity, soldAt, net, state }) => (
        <li key={id} className="list__row row--wrap">
          <span className="grow customer__text wrap-anywhere">
            <Link className="link" href={`/sales/${id}`}>
              {isolateRtl(quantity > 1 ? `${quantity} × ${title}` : title)}
            </Link>
            <small>{formatMoment(soldAt)}</small>
          </span>
          <span className="customer__sums">
            <strong className="num">{signedUsd(signedCents(net))}</strong>
            <SaleBadge state={state} />
          </span>
        </li>
      ))}
    </ul>
    {sales > bought.length && <p className="muted small">Only the newest {MANY_SALES} sales.</p>}
  </section>
)

/** The messages with a customer. All sales share one thread, so the newest sale opens it. */
function CustomerMessages({ customer: { bought } }: { customer: CustomerDetail }) {
  const [newest] = bought
  if (!newest) return null
  return (
    <section className="card stack" aria-labelledby="customer-messages">
      <h2 id="customer-messages" className="text-16">
        Messages
      </h2>
      <Messages id={newest.id} />
    </section>
  )
}
