import { useEffect, useRef, useState } from 'react'
import { DECLINED, OrderAction, TimeLeft } from '../../aftersale/order/OrderAction.tsx'
import { OrderGoods } from '../../aftersale/order/OrderGoods.tsx'
import { useFreshWhilePending } from '../../aftersale/order/useFreshWhilePending.ts'
import { useCart } from '../../cart/useCart.ts'
import { Failure } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { priceText } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { USDC } from '../../payments/methods.ts'
import { isPaid, isUnpaid, opensGoods, shownStatus } from '../../purchases/order.rules.ts'
import { OrderCard } from '../../purchases/OrderCard.tsx'
import type { Order } from '../../purchases/orders.contract.ts'
import { ordersQuery } from '../../purchases/orders.query.client.ts'
import { Receipt } from '../../purchases/Receipt.tsx'
import { StatusIcon } from '../../purchases/StatusBadge.tsx'
import { useOrder, useOrders } from '../../purchases/useOrders.ts'
import { whyFailed } from '../../purchases/whyFailed.rules.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { PageSkeleton } from '../shell/lazyPage.tsx'

export const firstView = () => [ordersQuery]

const TransferNotice = lazyPart(() => import('../../providers/usdc/TransferNotice.tsx'), 'TransferNotice')
const HoldNotice = lazyPart(() => import('./HoldNotice.tsx'), 'HoldNotice')
const OrderMessages = lazyPart(() => import('../../selling/messages/OrderMessages.tsx'), 'OrderMessages')
const DisputeNotice = lazyPart(() => import('../../aftersale/refunds/DisputeNotice.tsx'), 'DisputeNotice')

const OrdersPage = lazyPart(() => import('./OrdersPage.tsx'), 'OrdersPage', <PageSkeleton outline="rows" />)

const SHOWN_OTHERS = 2

export const OrderPage = ({ id }: { id: string }) => <Bought key={id} id={id} />

function Bought({ id }: { id: string }) {
  const { orders, total, isPending, hasError, refetch } = useOrders()
  const loaded = orders.find((order) => order.id === id)
  const isElsewhere = !loaded && !isPending && !hasError
  const one = useOrder(id, isElsewhere)
  const order = loaded ?? one.data
  useFreshWhilePending(order ? [...orders, order] : orders)
  // a new read of an unknown order clears its error for a moment
  const [isMissing, setMissing] = useState(false)
  if (!isMissing && isUnknown(one.error)) setMissing(true)
  if (isMissing && !order)
    return (
      <OrdersPage
        notice={
          <p className="card" role="alert">
            We couldn’t find that order in your account.
          </p>
        }
      />
    )
  return (
    <div className="section gap-5">
      <PageHead
        title="My Orders"
        about={isPending || hasError ? undefined : `${total} order(s)`}
        action={
          <Link className="link" href="/library">
            Library
          </Link>
        }
      />
      {hasError ? (
        <ErrorState title="Couldn’t load the orders" onRetry={refetch} />
      ) : order ? (
        <OrderView order={order} all={orders} />
      ) : one.isError ? (
        <ErrorState title="Couldn’t load this order" onRetry={() => void one.refetch()} />
      ) : (
        <PageSkeleton outline="rows" />
      )}
    </div>
  )
}

const isUnknown = (error: Error | null) => error instanceof Failure && (error.status === 404 || error.status === 400)

/** The page of an order: its goods first once they open, otherwise its card. */
function OrderView({ order, all }: { order: Order; all: Order[] }) {
  const isGoodsFirst = opensGoods(order)
  const goods = <GoodsOfOrder order={order} />
  const card = <CardOfOrder order={order} isFolded={isGoodsFirst} />
  return (
    <div className="split order" data-order={order.id}>
      {isGoodsFirst ? goods : card}
      <div className="split__side">
        {isGoodsFirst ? card : goods}
        {isPaid(order) && <OrderMessages orderId={order.id} />}
        <OtherOrders orders={all.filter((other) => other.id !== order.id && !isUnpaid(other))} />
      </div>
    </div>
  )
}

const GoodsOfOrder = ({ order }: { order: Order }) => (
  <div className="order__goods stack" role="group" aria-label="Your goods" tabIndex={-1}>
    <OrderGoods order={order} />
    {order.paymentMethod === USDC && <TransferNotice orderId={order.id} />}
  </div>
)

function CardOfOrder({ order, isFolded }: { order: Order; isFolded: boolean }) {
  const cart = useCart().items.map(({ productId }) => productId)
  const card = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? !isFolded
  const isEnded = order.status === 'failed'
  const wasEnded = useRef(isEnded)
  useEffect(() => {
    // the pressed Cancel button took the keyboard focus along
    if (isEnded && !wasEnded.current && document.activeElement === document.body)
      card.current?.querySelector('a')?.focus()
    wasEnded.current = isEnded
  }, [isEnded])
  const show = (event: { preventDefault: () => void }, part: HTMLElement | null | undefined) => {
    // the link of the card leads to this page
    event.preventDefault()
    part?.scrollIntoView({ block: 'start' })
    part?.focus({ preventScroll: true })
  }
  return (
    <div ref={card}>
      <OrderCard
        order={order}
        onDetails={(event) => {
          setChosen(true)
          show(event, card.current?.querySelector<HTMLElement>('.receipt__toggle'))
        }}
        action={
          <OrderAction
            order={order}
            onGoods={(event) =>
              show(event, card.current?.closest('.order')?.querySelector<HTMLElement>('.order__goods'))
            }
          />
        }
        notice={
          <>
            {order.hold && <HoldNotice orderId={order.id} hold={order.hold} />}
            {order.dispute && <DisputeNotice dispute={order.dispute} />}
          </>
        }
        note={<TimeLeft order={order} />}
        why={order.declinedAt ? DECLINED : whyFailed(order, cart)}
        receipt={<Receipt order={order} isOpen={isOpen} onToggle={() => setChosen(!isOpen)} />}
      />
    </div>
  )
}

function OtherOrders({ orders }: { orders: Order[] }) {
  if (orders.length === 0) return null
  return (
    <section className="section order__others" aria-labelledby="other-orders">
      <div className="section__head">
        <h2 id="other-orders" className="text-18">
          Other orders
        </h2>
        <Link className="link" href="/orders">
          See all
        </Link>
      </div>
      <ul className="list">
        {orders.slice(0, SHOWN_OTHERS).map((order) => (
          <li key={order.id}>
            <Link className="list__row" href={`/orders/${order.id}`}>
              <StatusIcon status={shownStatus(order)} />
              <span className="grow">
                <strong className="text-14">
                  #<span className="mono">{shortId(order.id)}</span>
                </strong>
                <small>
                  {formatDay(order.createdAt)} · {shownStatus(order)}
                </small>
              </span>
              <span className="money">{priceText(toCents(order.total))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
