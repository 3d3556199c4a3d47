import { Check, Clock, X } from 'lucide-react'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { describeFailure } from './refusal.rules.ts'

export type ShownRefund = {
  id: string
  status: 'requested' | 'waiting' | 'completed' | 'failed'
  amount: string
  refusal: string | null
}

export function RefundResult({ refund, onClose }: { refund: ShownRefund; onClose: () => void }) {
  const { status, amount, refusal } = refund
  const sum = usd(toCents(amount))
  return (
    <>
      <DialogBody>
        <div className="row row--nowrap row--top" role="status">
          {status === 'requested' ? (
            <span className="spinner" aria-hidden />
          ) : status === 'waiting' ? (
            <Clock className="icon" aria-hidden />
          ) : status === 'completed' ? (
            <Check className="icon tone-ok" aria-hidden />
          ) : (
            <X className="icon tone-bad" aria-hidden />
          )}
          <p>
            {status === 'requested'
              ? `${sum} is being refunded. The store keeps trying by itself, even after you close this.`
              : status === 'waiting'
                ? `${sum} waits. Another member of staff has to approve it on this page.`
                : status === 'completed'
                  ? `${sum} was refunded.`
                  : describeFailure(sum, refusal)}
          </p>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </>
  )
}
