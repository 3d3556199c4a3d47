import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { reclaimCredit } from '../../aftersale/refunds/refund.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import type { FiledRefund } from './adminOrders.contract.ts'

type ReclaimProps = { refund: Pick<FiledRefund, 'id' | 'amount'>; refresh: () => Promise<unknown> }

export function ReclaimCredit({ refund, refresh }: ReclaimProps) {
  const dialog = useDialog()
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const reclaim = useMutation({
    mutationFn: () => call(reclaimCredit, { id: refund.id, reason }),
    onSuccess: ({ amount }) => {
      toast({ title: `${usd(toCents(amount))} of store credit taken back`, description: 'The buyer gets a mail.' })
      dialog.props.onClose()
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t take the credit back. Please try again.'),
    onSettled: refresh,
  })
  return (
    <>
      <Button tone="quiet" className="self-start" onClick={dialog.open}>
        Paid by hand: take the credit back
      </Button>
      {dialog.isWanted && (
        <Dialog
          {...dialog.props}
          title="Take store credit back"
          description={`The bank returned ${usd(toCents(refund.amount))}, and the buyer got it as store credit. Take it back if you paid the buyer another way. Spent credit stays.`}
        >
          <DialogForm
            noValidate
            label="Take back"
            isBusy={reclaim.isPending}
            onCancel={dialog.props.onClose}
            onSubmit={() => {
              setTried(true)
              if (reason.trim()) reclaim.mutate()
            }}
          >
            <Field
              label="How did you pay the buyer?"
              {...(isTried && !reason.trim() && { error: 'Enter how you paid.' })}
            >
              {(field) => (
                <input
                  {...field}
                  className="input"
                  autoComplete="off"
                  maxLength={150}
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              )}
            </Field>
          </DialogForm>
        </Dialog>
      )}
    </>
  )
}
