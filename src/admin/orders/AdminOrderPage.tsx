import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type FiledRefund, type OrderFile, readOrderFile } from './adminOrders.contract.ts'
import { OrderGoods } from './OrderGoods.tsx'
import { OrderEvents, OrderMails, OrderRisk } from './OrderHistory.tsx'
import { OrderPayments, OrderRefunds } from './OrderMoney.tsx'
import { whyNoRefund } from './orderWords.rules.ts'
import { isMissing } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { shortId } from '../../orders/order.rules.ts'
import { StatusBadge } from '../../orders/StatusBadge.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const RefundDialog = lazyDialog(() => import('../../checkout/refunds/RefundDialog.tsx'), 'RefundDialog')

/** How often an order with a pending refund is refetched, in milliseconds. */
const LOOK_EVERY = 1500
const isPending = ({ status }: FiledRefund) => status === 'requested'

export function AdminOrderPage({ id }: { id: string }) {
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    ...query(readOrderFile, { id }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.refunds.some(isPending) ? LOOK_EVERY : false),
  })
  // leads back to the search that found it
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
  const why = whyNoRefund(file)
  const { buyer } = file
  return (
    <>
      <div className="card row row--between">
        <span className="buyer grow wrap-anywhere">
          <strong>{buyer.name}</strong>
          {buyer.email && <span>{buyer.email}</span>}
          <span className="muted small num">
            Joined {formatDay(buyer.joinedAt)} · {buyer.orders} order(s)
          </span>
        </span>
        <span className="row">
          {buyer.email && (
            <LinkButton href={`/admin/orders?q=${encodeURIComponent(buyer.email)}`}>Orders of this buyer</LinkButton>
          )}
          {why === null && (
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
          <OrderEvents events={file.events} />
          <OrderMails {...file} />
        </div>
        <div className="stack gap-5">
          <OrderRefunds refunds={file.refunds} />
          <OrderPayments {...file} />
          <OrderRisk risk={file.risk} />
        </div>
      </div>
      {dialog.isWanted && (
        <RefundDialog {...dialog.props} orderId={file.id} offer={file.offer} refunds={file.refunds} refresh={refresh} />
      )}
    </>
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
