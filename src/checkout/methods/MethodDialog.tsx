import { usd } from '../../localisation/usd.rules.ts'
import { MethodChooser } from '../../payments/methods/MethodChooser.tsx'
import type { MethodChoice, Methods } from '../../payments/methods/methods.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Pair } from '../../ui/Pair.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'

type MethodDialogProps = DialogProps & {
  data: Methods
  value: MethodChoice
  onPick: (choice: MethodChoice) => void
  cents: number
  creditCents: number
  name: string
  isDisabled: boolean
  onPay: () => void
}

export const MethodDialog = (props: MethodDialogProps) => {
  const { data, value, onPick, cents, creditCents, name, isDisabled, onPay, ...dialog } = props
  const due = usd(cents - creditCents)
  return (
    <Dialog {...dialog} title="How do you want to pay?">
      <DialogBody>
        <MethodChooser isNamed data={data} value={value} onPick={onPick} />
        <dl className="receipt">
          {creditCents > 0 && (
            <>
              <Pair name="Total" value={usd(cents)} />
              <Pair name="Store credit" value={`−${usd(creditCents)}`} />
            </>
          )}
          <Pair name="To pay" value={due} className="total" />
        </dl>
      </DialogBody>
      <DialogFoot>
        <Button
          tone="primary"
          className="wrap-anywhere"
          disabled={isDisabled}
          onClick={() => {
            onPay()
            dialog.onClose()
          }}
        >
          Pay {due} with {name}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
