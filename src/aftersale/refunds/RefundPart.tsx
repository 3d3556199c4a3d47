import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { canReturn } from './ask.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const RequestRefundDialog = lazyDialog(() => import('./RequestRefundDialog.tsx'), 'RequestRefundDialog')

const DISPUTES = {
  open: 'You disputed the payment of this order at your payment provider, which decides. Until then we can’t open or refund it here.',
  won: 'Your payment provider decided the dispute of this order for us. Your goods open as before.',
  lost: 'Your payment provider decided the dispute of this order for you and returns',
} as const

export function RefundPart({ order }: { order: Order }) {
  const dialog = useDialog()
  const refresh = useFreshOrders()
  const { dispute, status, lines } = order
  const isDisputed = dispute?.state === 'open'
  const canAsk = status === 'completed' && !isDisputed && lines.some(canReturn)
  return (
    <>
      {dispute && (
        <p className="small muted" role="status">
          {DISPUTES[dispute.state]}
          {dispute.state === 'lost' && ` ${usd(toCents(dispute.amount))}, since ${formatDay(dispute.at)}.`}
        </p>
      )}
      {canAsk && (
        <Button tone="quiet" onClick={dialog.open}>
          Ask for a refund
        </Button>
      )}
      {dialog.isWanted && <RequestRefundDialog {...dialog.props} order={order} refresh={refresh} />}
    </>
  )
}
