import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { describeCharge, type QuickBuyTerms } from './quickBuy.rules.ts'

type ConfirmQuickBuyProps = QuickBuyTerms & {
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  copies: number
}

/** The question before a large Quick Buy. */
export function ConfirmQuickBuy({ isOpen, onClose, onConfirm, copies, ...terms }: ConfirmQuickBuyProps) {
  const sum = usd(toCents(terms.total))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Buy all of this now?">
      <DialogBody>
        <p>
          You are about to buy {copies.toLocaleString('en')} {copies === 1 ? 'copy' : 'copies'} for <b>{sum}</b>.{' '}
          {describeCharge(terms)}
        </p>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button tone="primary" onClick={onConfirm}>
          Buy for {sum}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
