import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type FiledLine, type FiledRefund, type OrderFile, readOrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'
import { describeDelivery, whyNoRefund } from './orderWords.rules.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { isMissing } from '../../kit/call.client.ts'
import { isAllowed } from '../../kit/contract.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { StatusBadge } from '../../purchases/StatusBadge.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const OrderHistory = lazyPart(() => import('./OrderHistory.tsx'), 'OrderHistory')
const OrderRefunds = lazyPart(() => import('./OrderRefunds.tsx'), 'OrderRefunds')
const OrderPayments = lazyPart(() => import('./OrderPayments.tsx'), 'OrderPayments')
const OrderRisk = lazyPart(() => import('./OrderRisk.tsx'), 'OrderRisk')
const RefundRequests = lazyPart(() => import('../../aftersale/refunds/RefundRequests.tsx'), 'RefundRequests')
const ApproveRefund = lazyPart(() => import('./ApproveRefund.tsx'), 'ApproveRefund')
const StaffMessages = lazyPart(() => import('../messages/StaffMessages.tsx'), 'StaffMessages')
const OrderDisputes = lazyPart(() => import('../disputes/OrderDisputes.tsx'), 'OrderDisputes')
const RefundDialog = lazyDialog(() => import('../../aftersale/refunds/RefundDialog.tsx'), 'RefundDialog')

const POLL_MS = 1500
const isPending = ({ status }: FiledRefund) => status === 'requested'

export function AdminOrderPage({ id }: { id: string }) {
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    ...query(readOrderFile, { id }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.refunds.some(isPending) ? POLL_MS : false),
  })
  const [from] = useState(() => (history.state as { from?: string } | null)?.from ?? '/admin/orders')
  return (
    <StaffPage
      back={
        <LinkButton tone="ghost" className="btn--back" href={from} icon={<ChevronLeft className="icon" aria-hidden />}>
          All orders
        </LinkButton>
      }
      title={`Order #${shortId(id)}`}
      about={file && `Placed ${formatDay(file.createdAt)}`}
      action={file && <StatusBadge status={file.status} />}
    >
      {file ? (
        <File file={file} refresh={refetch} />
      ) : isMissing(error) ? (
        <EmptyState scene="ticket" title="We couldn’t find that order">
          Search by order number, buyer, or product.
        </EmptyState>
      ) : error ? (
        <ErrorState title="Couldn’t load the order" onRetry={refetch} />
      ) : (
        <Loading />
      )}
    </StaffPage>
  )
}

function File({ file, refresh }: { file: OrderFile; refresh: () => Promise<unknown> }) {
  const dialog = useDialog()
  const { user } = useSession()
  const isFinance = isAllowed('finance', user?.role ?? 'member')
  const why = whyNoRefund(file) ?? (isFinance ? null : 'Finance or an administrator can refund this order.')
  const canRefund = why === null && !file.approval
  const canAnswer = isFinance && !file.approval && !file.refunds.some(isPending)
  const { buyer } = file
  return (
    <>
      <div className="card row row--between">
        <span className="buyer grow wrap-anywhere">
          <strong>{buyer.name}</strong>
          {buyer.email && <span>{buyer.email}</span>}
          <span className="muted small num">
            Joined {formatDay(buyer.joinedAt)} · {plural(buyer.orders, 'order')}
          </span>
        </span>
        <span className="row">
          {buyer.email && (
            <LinkButton href={`/admin/orders?q=${encodeURIComponent(buyer.email)}`}>Orders of this buyer</LinkButton>
          )}
          {canRefund && (
            <Button tone="bad-line" icon={<Undo2 className="icon" aria-hidden />} onClick={dialog.open}>
              Refund
            </Button>
          )}
        </span>
      </div>
      {why !== null && <p className="muted small">{why}</p>}
      <div className="twocol">
        <div className="stack gap-5">
          <OrderGoods {...file} />
          <OrderHistory {...file} />
          {isAllowed('support', user?.role ?? 'member') && <StaffMessages orderId={file.id} />}
        </div>
        <div className="stack gap-5">
          {file.requests.length > 0 && (
            <RefundRequests orderId={file.id} {...{ requests: file.requests, canAnswer, canRefund, refresh }} />
          )}
          {file.approval && <ApproveRefund approval={file.approval} refresh={refresh} />}
          <OrderRefunds refunds={file.refunds} refresh={refresh} />
          {file.disputes.length > 0 && <OrderDisputes disputes={file.disputes} />}
          <OrderPayments {...file} />
          <OrderRisk risk={file.risk} />
        </div>
      </div>
      {dialog.isWanted && (
        <RefundDialog
          {...{ ...dialog.props, orderId: file.id, offer: file.offer, refunds: file.refunds, refresh }}
          hasRequest={file.requests.some(({ state }) => state === 'open')}
        />
      )}
    </>
  )
}

const OrderGoods = ({
  lines,
  discounts,
  total,
  credit,
}: Pick<OrderFile, 'lines' | 'discounts' | 'total' | 'credit'>) => (
  <OrderPart title="Goods">
    <ul className="list">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {discounts.map(({ code, amount }, i) => (
        <Sum key={i} name={`Discount ${code}`} sum={amount} sign="−" />
      ))}
      <Sum name="Total" sum={total} />
      {toCents(credit) > 0 && <Sum name="Paid with store credit" sum={credit} />}
    </ul>
  </OrderPart>
)

const Sum = ({ name, sum, sign = '' }: { name: string; sum: string; sign?: string }) => (
  <li className="list__row row--between">
    <span className="muted wrap-anywhere">{name}</span>
    <strong className="money">
      {sign}
      {usd(toCents(sum))}
    </strong>
  </li>
)

function Line({ line }: { line: FiledLine }) {
  const { productId, title, quantity, returned, price, seller } = line
  return (
    <li className="list__row row--top row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong>
          <Link className="text-link" href={`/product/${productId}`}>
            <bdi>{title}</bdi>
          </Link>
          {quantity > 1 && ` × ${quantity}`}
        </strong>
        {returned > 0 && <small>{`${returned} of ${quantity} refunded`}</small>}
        <small>Sold by {seller ?? 'a former member'}</small>
        <small>{describeDelivery(line, formatMoment).join(' · ')}</small>
      </span>
      <strong className="money">{usd(toCents(price) * quantity)}</strong>
    </li>
  )
}

const Loading = () => (
  <div className="section gap-4" role="status" aria-label="Loading the order">
    <Skeleton height="5rem" />
    <Skeleton height="2.75rem" width="8rem" />
    <div className="twocol">
      <Skeleton height="16rem" />
      <Skeleton height="16rem" />
    </div>
  </div>
)
