import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { markSent, type QueuedException } from '../../providers/usdc/transfers.contract.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

type SentDialogProps = DialogProps & { exception: QueuedException; onDone: () => void }

export function SentDialog({ isOpen, onClose, exception, onDone }: SentDialogProps) {
  const { id, amount, network, refundAddress } = exception
  const [txHash, setTxHash] = useState('')
  const [isTried, setTried] = useState(false)
  const isHash = /^0x[0-9a-f]{64}$/i.test(txHash.trim())
  const mark = useMutation({
    mutationFn: () => call(markSent, { id, txHash }),
    onSuccess: () => {
      toast({ title: 'Saved', description: 'It is done once the chain confirms receiver and amount.' })
      onClose()
      onDone()
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Send ${amount} USDC`}
      description={`Send exactly ${amount} USDC on ${network} to ${refundAddress}.`}
    >
      <DialogForm
        label="Mark as sent"
        noValidate
        isBusy={mark.isPending}
        onCancel={onClose}
        onSubmit={() => {
          setTried(true)
          if (isHash) mark.mutate()
        }}
      >
        <Field
          label="Hash of the transaction"
          hint="Your wallet shows it after sending."
          {...(isTried && !isHash && { error: 'Paste the hash: 0x and 64 characters.' })}
        >
          {(field) => (
            <input
              {...field}
              className="input mono"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              value={txHash}
              onChange={({ target }) => setTxHash(target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}
