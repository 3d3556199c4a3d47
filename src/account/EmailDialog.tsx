import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_EMAIL_LENGTH } from '../identity/accounts/email.rules.ts'
import { changeEmail } from '../identity/email/emailChange.contract.ts'
import { call } from '../kit/call.client.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../ui/Dialog.tsx'
import { Field } from '../ui/form/Field.tsx'
import { problemOf } from './useAccount.ts'
import type { DialogProps } from '../ui/useDialog.ts'

export const EmailDialog = (dialog: DialogProps & { email: string }) => (
  <Dialog {...dialog} title="Change Email" description={`Your current address is ${dialog.email}.`}>
    <EmailForm onClose={dialog.onClose} />
  </Dialog>
)

function EmailForm({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const change = useMutation({ mutationFn: () => call(changeEmail, { email }) })
  const problem = problemOf(change.error, 'We couldn’t change your address. Please try again.')
  if (change.data) {
    return (
      <>
        <DialogBody>
          <p role="status" className="wrap-anywhere">
            We emailed a link to <b>{change.data.sentTo}</b>. Open it in this browser within 24 hours; until then
            everything stays as it is.
          </p>
          <p className="muted small">We’ll notify your old address, which can undo the change for three days.</p>
        </DialogBody>
        <DialogFoot>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </DialogFoot>
      </>
    )
  }
  return (
    <DialogForm
      noValidate
      label="Email me the link"
      isBusy={change.isPending}
      onSubmit={() => change.mutate()}
      onCancel={onClose}
    >
      <Field
        label="New email address"
        hint="We’ll email a link to confirm it’s yours"
        {...(problem && { error: problem.message })}
      >
        {(field) => (
          <input
            {...field}
            className="input"
            type="email"
            autoComplete="email"
            required
            maxLength={MAX_EMAIL_LENGTH}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
    </DialogForm>
  )
}
