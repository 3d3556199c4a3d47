import type { Order } from '../orders/orders.contract.ts'
import { Button } from '../ui/Button.tsx'
import { usePayment } from './usePayment.ts'

/** Pays a pending order. */
export function FinishPaymentButton({ order }: { order: Pick<Order, 'id' | 'total'> }) {
  const { isPaying, canPay, pay } = usePayment()
  return (
    <Button
      tone="primary"
      isBusy={isPaying}
      disabled={!canPay}
      onClick={() => void pay({ amount: order.total, orderId: order.id })}
    >
      Finish payment
    </Button>
  )
}
