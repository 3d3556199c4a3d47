import './customers.css'
import { Download, NotebookPen, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { signedCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd } from '../../localisation/usd.rules.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { SellerPageWaiting, SellerTabs } from '../SellerTabs.tsx'
import { type Customer, CUSTOMERS_CSV, CUSTOMERS_STEP, listCustomers } from './customers.contract.ts'

const CustomerPage = lazyPart(() => import('./CustomerPage.tsx'), 'CustomerPage', <SellerPageWaiting height="24rem" />)

export const CustomersPage = ({ id }: { id: string }) => (id ? <CustomerPage key={id} id={id} /> : <CustomerList />)

function CustomerList() {
  const [search, setSearch] = useSearchParams()
  const q = (search.get('q') ?? '').trim().slice(0, 200)
  const list = useList<Customer>({
    ...pagesOf(listCustomers, { limit: CUSTOMERS_STEP, q: q || undefined }),
    refetchOnMount: 'always',
  })
  const { items: customers, total, isPending, hasError, refetch } = list
  const isEmpty = !isPending && !hasError && customers.length === 0
  const ask = (typed: string) => setSearch(new URLSearchParams(typed === '' ? '' : { q: typed }), { replace: true })
  return (
    <div className="section gap-4">
      <SellerTabs />
      <PageHead
        title="Customers"
        about={isPending ? 'Looking…' : hasError ? undefined : plural(total, 'customer')}
        action={
          (!isEmpty || q !== '') && (
            <a className={buttonClass({})} href={CUSTOMERS_CSV} download>
              <Download className="icon" aria-hidden />
              Export CSV
            </a>
          )
        }
      />
      {(!isEmpty || q !== '') && <CustomerSearch key={q} q={q} onAsk={ask} />}
      {isPending ? (
        <Skeleton height="16rem" />
      ) : hasError ? (
        <ErrorState title="Couldn’t load your customers" onRetry={refetch} />
      ) : isEmpty ? (
        <NoCustomers q={q} onAll={() => ask('')} />
      ) : (
        <Rows list={list} />
      )}
    </div>
  )
}

const NoCustomers = ({ q, onAll }: { q: string; onAll: () => void }) => (
  <div className="card">
    {q === '' ? (
      <EmptyState
        scene="receipt"
        title="No customers yet"
        action={<LinkButton href="/my-products">My Products</LinkButton>}
      >
        Your customers appear here, with products and dates.
      </EmptyState>
    ) : (
      <EmptyState scene="search" title="No customers found" action={<Button onClick={onAll}>Show all</Button>}>
        {isolateRtl(`Nothing matches “${q}”.`)}
      </EmptyState>
    )}
  </div>
)

function CustomerSearch({ q, onAsk }: { q: string; onAsk: (typed: string) => void }) {
  const [typed, setTyped] = useState(q)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk(typed.trim())
  }
  return (
    <form className="row" role="search" onSubmit={submit}>
      <input
        className="input grow"
        type="search"
        aria-label="Search your customers"
        placeholder="Name, product or order"
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" icon={<Search className="icon" aria-hidden />}>
        Find
      </Button>
    </form>
  )
}

function Rows({
  list: { items: customers, total, readMore, isReadingMore },
}: {
  list: ReturnType<typeof useList<Customer>>
}) {
  const { list, readOn } = useReadMore(readMore, (error) =>
    toastFailure(error, 'Failed to load more customers. Please try again.'),
  )
  return (
    <>
      <ul className="list" ref={list}>
        {customers.map((customer) => (
          <li key={customer.id}>
            <Row customer={customer} />
          </li>
        ))}
      </ul>
      {readMore && (
        <div className="row row--center more">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show {Math.min(CUSTOMERS_STEP, total - customers.length)} more
          </Button>
        </div>
      )}
    </>
  )
}

const Row = ({ customer: { id, name, email, title, lastAt, net, sales, hasNote } }: { customer: Customer }) => (
  <Link className="list__row row--wrap" href={`/selling/customers/${id}`}>
    <span className="grow customer__text wrap-anywhere">
      <strong>
        {isolateRtl(name)}
        {hasNote && <NotebookPen className="icon icon--sm" role="img" aria-label="has a note" />}
      </strong>
      {email && <small>{email}</small>}
      <small className="clamp-1">{isolateRtl(title)}</small>
    </span>
    <span className="customer__sums num">
      <strong>{signedUsd(signedCents(net))}</strong>
      <small>
        {plural(sales, 'sale')}, {formatDay(lastAt)}
      </small>
    </span>
  </Link>
)
