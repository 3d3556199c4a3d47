import { useSearchParams } from 'wouter'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { ORDER_STATUSES } from '../../orders/states.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useIsDesktop } from '../../ui/useMatches.ts'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { type StaffQuery, Finder, Found } from '../StaffSearch.tsx'
import { findOrders, type FoundOrder, SIDES, WAITS } from './adminOrders.contract.ts'
import { OrderState } from './OrderState.tsx'
import { titlesOf } from './orderWords.rules.ts'
import { WaitChips } from './WaitChips.tsx'

// Only wide screens show the table.
const OrdersTable = lazyPart(
  () => import('./OrdersTable.tsx'),
  'OrdersTable',
  <RowsSkeleton label="Loading the orders" />,
)

const ALL = 'all'
const statuses = [
  { value: ALL, label: 'All' },
  ...ORDER_STATUSES.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
]

export function AdminOrdersPage() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const status = [...ORDER_STATUSES, ...WAITS].find((known) => known === search.get('status'))
  const shown = ORDER_STATUSES.find((known) => known === status) ?? ALL
  const productId = search.get('product') ?? undefined
  const side = q ? SIDES.find((known) => known === search.get('side')) : undefined
  const found = useList({
    ...pagesOf(findOrders, { limit: 25, q: q || undefined, status, productId, side }),
    refetchOnMount: 'always',
  })
  const ask = (asked: StaffQuery) => {
    const next = {
      ...(asked.q && { q: asked.q }),
      ...(asked.choice !== ALL && { status: asked.choice }),
      ...(productId && { product: productId }),
      ...(side && asked.q === q && { side }),
    }
    setSearch(new URLSearchParams(next), { replace: true })
  }
  return (
    <StaffPage
      title="Customers’ orders"
      about="All customers, newest first. Open an order to see its history or to refund it."
    >
      <Finder
        key={q}
        asked={{ q, choice: shown }}
        onAsk={(asked) => ask(asked.choice === shown ? { ...asked, choice: status ?? ALL } : asked)}
        list={found}
        label="Number, buyer, seller or product"
        placeholder="Order or payment number…"
        choiceLabel="Status"
        choices={statuses}
      />
      <WaitChips chosen={WAITS.find((one) => one === status)} onChoose={(wait) => ask({ q, choice: wait ?? ALL })} />
      {productId && (
        <p className="row row--between small">
          <span className="muted">Only orders with the product of a report.</span>
          <Link className="text-link" href="/admin/orders">
            All orders
          </Link>
        </p>
      )}
      {side && (
        <p className="row row--between small">
          <span className="muted">
            {side === 'buyer' ? 'Only what this address bought.' : 'Only what this address sold.'}
          </span>
          <Link className="text-link" href={`/admin/orders?${new URLSearchParams({ q })}`}>
            Bought or sold
          </Link>
        </p>
      )}
      <Found
        list={found}
        name="the orders"
        more="Show earlier orders"
        loading={
          <RowsSkeleton label="Loading the orders" row="list__row row--top">
            <span className="stack grow gap-2">
              <Skeleton height="1.25rem" width="60%" />
              <Skeleton height="1rem" width="40%" />
              <Skeleton height="1rem" width="40%" />
            </span>
            <span className="stack stack--end gap-2">
              <Skeleton height="1.25rem" width="4rem" />
              <Skeleton className="skeleton--badge" height="1.25rem" width="6rem" />
            </span>
          </RowsSkeleton>
        }
        empty={
          <EmptyState scene="ticket" title="No orders">
            {q || status || productId
              ? 'Nothing matches. Try the order or payment number, the start of the buyer’s or the seller’s email address, or a word from the product’s title.'
              : 'Orders from customers will show up here.'}
          </EmptyState>
        }
      >
        <FoundOrders orders={found.items} from={`/admin/orders?${search}`} />
      </Found>
    </StaffPage>
  )
}

function FoundOrders(found: { orders: FoundOrder[]; from: string }) {
  const isDesktop = useIsDesktop()
  return isDesktop ? <OrdersTable {...found} /> : <OrdersList {...found} />
}

const OrdersList = ({ orders, from }: { orders: FoundOrder[]; from: string }) => (
  <ul className="list" aria-label="Orders">
    {orders.map((order) => (
      <li key={order.id}>
        <Link className="list__row row--top row--wrap" href={`/admin/orders/${order.id}`} state={{ from }}>
          <span className="grow grow--column wrap-anywhere">
            <strong>{titlesOf(order)}</strong>
            <small>{order.buyer ?? 'Former member'}</small>
            <small>
              Order #<span className="mono">{shortId(order.id)}</span> ·{' '}
              <time dateTime={order.createdAt} title={formatDay(order.createdAt)}>
                {formatMoment(order.createdAt)}
              </time>
            </small>
          </span>
          <span className="stack stack--end gap-1">
            <strong className="money">{usd(toCents(order.total))}</strong>
            <OrderState order={order} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
