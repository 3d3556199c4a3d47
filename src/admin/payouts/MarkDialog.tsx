import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { markPayouts } from '../../payments/payouts/payouts.contract.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

const ends = [
  { value: 'sent' as const, label: 'Sent' },
  { value: 'failed' as const, label: 'Failed' },
  { value: 'returned' as const, label: 'Returned' },
]

type MarkDialogProps = DialogProps & { ids: string[]; sum: string; isRequest: boolean; onDone: () => void }

export function MarkDialog({ isOpen, onClose, ids, sum, isRequest, onDone }: MarkDialogProps) {
  const [as, setAs] = useState<'sent' | 'failed' | 'returned'>(isRequest ? 'failed' : 'sent')
  const [reason, setReason] = useState('')
  const [isFinal, setFinal] = useState(true)
  const [isTried, setTried] = useState(false)
  const isBack = as !== 'sent'
  const mark = useMutation({
    mutationFn: () => call(markPayouts, { ids, as, ...(isBack && { reason, isFinal: isFinal && !isRequest }) }),
    onSuccess: ({ marked, waiting }) => {
      toast({
        title: `${marked} marked as ${as}`,
        ...(waiting > 0 && { description: `${waiting} wait for another member of staff: the bank may have the file.` }),
      })
      setReason('')
      onClose()
      onDone()
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isRequest ? 'Decline payouts' : 'Mark payouts'}
      description={`${ids.length} of ${sum} in all.${isBack ? ' The money goes back to the balance of its seller, who hears why.' : ''}`}
    >
      <DialogForm
        label={isRequest ? 'Decline' : `Mark as ${as}`}
        noValidate
        isBusy={mark.isPending}
        onCancel={onClose}
        onSubmit={() => {
          setTried(true)
          if (!isBack || reason.trim()) mark.mutate()
        }}
      >
        {!isRequest && <Segment label="What the bank reported" options={ends} value={as} onChange={setAs} />}
        {isBack && (
          <>
            <Field label="Reason" {...(isTried && !reason.trim() && { error: 'Give a reason. The seller reads it.' })}>
              {(field) => (
                <input
                  {...field}
                  className="input"
                  autoComplete="off"
                  maxLength={200}
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              )}
            </Field>
            {!isRequest && (
              <Switch
                label="Refused for good"
                hint="Not tried again until the seller changes the details."
                isOn={isFinal}
                onChange={setFinal}
              />
            )}
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
