import { shortId } from '../orders/order.rules.ts'
import type { Order } from '../orders/orders.contract.ts'
import { Button } from '../ui/Button.tsx'
import { useCancelOrder } from './useCancelOrder.ts'

/** Cancels an order that waits for its payment. */
export function CancelOrderButton({ order }: { order: Order }) {
  const cancel = useCancelOrder(order)
  return (
    <Button
      tone="ghost"
      aria-label={`Cancel order ${shortId(order.id)}`}
      isBusy={cancel.isPending}
      onClick={({ currentTarget }) => {
        // the button disappears; keep the keyboard focus at the order
        const card = currentTarget.closest('article')
        cancel.mutate(undefined, { onSuccess: () => card?.querySelector('a')?.focus() })
      }}
    >
      Cancel order
    </Button>
  )
}
