import { useQueryClient } from '@tanstack/react-query'
import { MessageCircle, ShieldCheck } from 'lucide-react'
import { chatIsOpen } from '../../assistant/chatState.client.ts'
import { refreshOrders } from '../../purchases/orders.query.client.ts'
import type { OrderHold } from '../../risk/hold.contract.ts'
import { describeHold } from '../../risk/hold.rules.ts'
import { useConfirmOrder } from '../../risk/useConfirmOrder.ts'
import { Button } from '../../ui/Button.tsx'

export function HoldNotice({ orderId, hold }: { orderId: string; hold: OrderHold }) {
  const cache = useQueryClient()
  const confirm = useConfirmOrder(orderId, hold, () => refreshOrders(cache))
  const { title, text } = describeHold(hold)
  return (
    <section className="ticket__part stack" aria-label={title}>
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p className="muted small">{text}</p>
      </div>
      <div className="row">
        {(hold.kind === 'step_up' || hold.isClearedByConfirming) && (
          <Button
            tone="primary"
            icon={<ShieldCheck className="icon" aria-hidden />}
            isBusy={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            Confirm it’s me
          </Button>
        )}
        <Button tone="ghost" icon={<MessageCircle className="icon" aria-hidden />} onClick={() => chatIsOpen.set(true)}>
          Message us
        </Button>
      </div>
    </section>
  )
}
