import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { VIEW_MINUTES } from '../../identity/viewing/staffView.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { forceLeave } from '../../kit/forcedLeave.client.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { MAX_VIEW_REASON, viewMember } from './members.contract.ts'

type ViewDialogProps = DialogProps & { id: string; name: string }

export function ViewDialog({ isOpen, onClose, id, name }: ViewDialogProps) {
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = reason.trim() === ''
  const view = useMutation({
    mutationFn: () => call(viewMember, { id, reason }),
    // a new document, because nothing of the staff session may stay in memory
    onSuccess: () => forceLeave(() => location.assign('/')),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t show the shop. Please try again.'),
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`See the shop as ${name}`}
      description={`Read only, for ${VIEW_MINUTES} minutes, in all tabs of this browser. ${name} gets a mail with your reason, and the audit log records it.`}
    >
      <DialogForm
        label="See the shop"
        noValidate
        isBusy={view.isPending || view.isSuccess}
        onCancel={onClose}
        onSubmit={() => {
          setTried(true)
          if (!isMissing) view.mutate()
        }}
      >
        <Field
          label="Reason"
          hint="The member reads it, and the audit log stores it. Leave names and addresses out."
          {...(isTried && isMissing && { error: 'Give a reason. The member reads it.' })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              autoComplete="off"
              maxLength={MAX_VIEW_REASON}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}
