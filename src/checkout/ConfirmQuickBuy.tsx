import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'

type ConfirmQuickBuyProps = {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  total: string
  copies: number
  /** What will be charged at once, if anything. */
  method: string | undefined
}

/** Asked once before much money, or many copies, go in one press. */
export function ConfirmQuickBuy({ isOpen, onClose, onConfirm, total, copies, method }: ConfirmQuickBuyProps) {
  const sum = usd(toCents(total))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Buy all of this now?">
      <DialogBody>
        <p>
          You are about to buy {copies.toLocaleString('en')} {copies === 1 ? 'copy' : 'copies'} for <b>{sum}</b>.{' '}
          {method ? `${method} is charged at once.` : 'The order waits 30 minutes for its payment.'}
        </p>
      </DialogBody>
      <DialogFoot>
        <Button tone="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="primary" onClick={onConfirm}>
          Buy for {sum}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
