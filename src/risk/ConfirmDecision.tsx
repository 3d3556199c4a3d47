import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { REFUSED_DAYS, type RiskCase } from './riskReview.contract.ts'

type ConfirmDecisionProps = {
  isOpen: boolean
  held: RiskCase
  isApproved: boolean
  onClose: () => void
  onConfirm: () => void
}

export function ConfirmDecision({
  isOpen,
  held: { buyer, total },
  isApproved,
  onClose,
  onConfirm,
}: ConfirmDecisionProps) {
  const sum = usd(toCents(total))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={isApproved ? 'Deliver this order?' : 'Give the money back?'}>
      <DialogBody>
        <p className="wrap-anywhere">
          {isApproved
            ? `${buyer} gets the ${sum} purchase right away. Codes can’t be taken back once they’ve been seen.`
            : `All of ${sum} goes back to ${buyer}, and nothing is delivered. This cannot be undone. Payments of this account are paused for ${REFUSED_DAYS} days; under Paused you can lift that.`}
        </p>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button tone={isApproved ? 'primary' : 'bad'} onClick={onConfirm}>
          {isApproved ? 'Approve' : `Refuse and give back ${sum}`}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
