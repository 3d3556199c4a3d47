import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { restoreLicense, revokeLicense, type SoldLicense } from './soldLicenses.contract.ts'

type DecideDialogProps = { productId: string; license: SoldLicense; onClose: () => void; onDone: () => void }

export function DecideDialog({ productId, license, onClose, onDone }: DecideDialogProps) {
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isRevoked = license.reason !== null
  const decide = useMutation({
    mutationFn: () =>
      call(isRevoked ? restoreLicense : revokeLicense, { id: productId, licenseId: license.id, reason: reason.trim() }),
    onSuccess: () => {
      toast({
        title: isRevoked ? 'Key restored' : 'Key revoked',
        description: 'The buyer gets a mail with your reason.',
      })
      onClose()
    },
    onSettled: onDone,
  })
  const refused = decide.error && (reasonOf(decide.error, isRefusal) ?? 'That didn’t work. Please try again.')
  const error = isTried && reason.trim() === '' ? 'Give a reason' : refused
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isRevoked ? 'Restore this key?' : 'Revoke this key?'}
      description={
        isRevoked
          ? 'The software accepts it again.'
          : 'The software stops accepting it. Money goes back by a refund only.'
      }
    >
      <DialogForm
        noValidate
        label={isRevoked ? 'Restore' : 'Revoke'}
        tone={isRevoked ? 'primary' : 'bad'}
        isBusy={decide.isPending}
        onCancel={onClose}
        onSubmit={() => {
          setTried(true)
          if (reason.trim() !== '') decide.mutate()
        }}
      >
        <p className="mono small wrap-anywhere">{license.masked}</p>
        <Field label="Reason" note="the buyer reads it" {...(error && { error })}>
          {(control) => (
            <input
              className="input"
              autoComplete="off"
              maxLength={500}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              {...control}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}
