import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword } from '../../identity/accounts/account.contract.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../identity/accounts/account.rules.ts'
import { strengthOf } from '../../identity/password/password.rules.ts'
import { call } from '../../kit/call.client.ts'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { problemOf } from '../useAccount.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

export const PasswordDialog = (dialog: DialogProps & { email: string }) => (
  <Dialog {...dialog} title="Change Password" description="You stay signed in on this device.">
    <PasswordForm {...dialog} />
  </Dialog>
)

function PasswordForm({ email, onClose }: DialogProps & { email: string }) {
  const [typed, setTyped] = useState({ currentPassword: '', newPassword: '' })
  const [endOthers, setEndOthers] = useState(true)
  const change = useMutation({
    mutationFn: () => call(changePassword, { ...typed, endOthers }),
    onSuccess: ({ othersEnded }) => {
      onClose()
      toast({ title: 'Password changed', description: othersText(othersEnded), tone: 'good' })
    },
  })
  const { score, word } = strengthOf(typed.newPassword, MIN_PASSWORD_LENGTH)
  const problem = problemOf(change.error, 'We couldn’t change your password. Please try again.')
  const errorOf = (field: string) => (problem?.field === field ? { error: problem.message } : {})
  const control = (name: keyof typeof typed, autoComplete: string) => ({
    className: 'input',
    type: 'password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
    autoComplete,
    value: typed[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: target.value }),
  })

  return (
    <DialogForm label="Save" isBusy={change.isPending} onSubmit={() => change.mutate()} onCancel={onClose}>
      {/* tells password managers whose password this is */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Problem>{!problem?.field && problem?.message}</Problem>
      <Field label="Current password" {...errorOf('currentPassword')}>
        {(field) => <input {...field} {...control('currentPassword', 'current-password')} />}
      </Field>
      <Field
        label="New password"
        hint={word ? `Strength: ${word}` : `At least ${MIN_PASSWORD_LENGTH} characters. A few unusual words work well.`}
        {...errorOf('newPassword')}
      >
        {(field) => <input {...field} {...control('newPassword', 'new-password')} minLength={MIN_PASSWORD_LENGTH} />}
      </Field>
      <meter aria-label="New password strength" max={4} low={2} high={3} optimum={4} value={score} />
      <Switch
        label="Sign out other devices"
        hint="Anyone using your old password gets signed out"
        isOn={endOthers}
        onChange={setEndOthers}
      />
    </DialogForm>
  )
}

const othersText = (ended: number) =>
  ended === 0
    ? 'Use your new password from now on.'
    : `${ended} other ${ended === 1 ? 'device was' : 'devices were'} signed out.`
