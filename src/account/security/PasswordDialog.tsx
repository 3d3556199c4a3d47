import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, choosePassword } from '../../identity/accounts/account.contract.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../identity/accounts/account.rules.ts'
import { strengthOf } from '../../identity/password/password.rules.ts'
import { call } from '../../kit/call.client.ts'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { accountQuery, problemOf, useAccount } from '../useAccount.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

type FormProps = Pick<DialogProps, 'onClose'> & { email: string }

export const PasswordDialog = (dialog: DialogProps & { email: string }) => (
  <Dialog {...dialog} title="Change Password" description="You stay signed in on this device.">
    <PasswordForm {...dialog} />
  </Dialog>
)

function PasswordForm({ email, onClose }: FormProps) {
  const { data, isError, refetch } = useAccount()
  if (data)
    return data.hasPassword ? (
      <ChangeForm email={email} onClose={onClose} />
    ) : (
      <ChooseForm email={email} onClose={onClose} />
    )
  return (
    <>
      <DialogBody>
        {isError ? (
          <ErrorState title="Couldn’t load your account" onRetry={() => void refetch()} />
        ) : (
          <Skeleton height="9rem" />
        )}
      </DialogBody>
      <DialogFoot onCancel={onClose} />
    </>
  )
}

/** The form of an account without a password, such as one that signs in by mailed links. */
function ChooseForm({ email, onClose }: FormProps) {
  const client = useQueryClient()
  const [newPassword, setNewPassword] = useState('')
  const [endOthers, setEndOthers] = useState(true)
  const choose = useMutation({
    mutationFn: () => call(choosePassword, { newPassword, endOthers }),
    onSuccess: ({ othersEnded }) => {
      onClose()
      client.setQueryData(accountQuery.queryKey, (account) => account && { ...account, hasPassword: true })
      toast({ title: 'Password saved', description: othersText(othersEnded), tone: 'good' })
    },
  })
  const problem = problemOf(choose.error, 'We couldn’t save your password. Please try again.')
  return (
    <DialogForm label="Save" isBusy={choose.isPending} onSubmit={() => choose.mutate()} onCancel={onClose}>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <p className="muted">You sign in by a link that we email. With a password, you can sign in without it.</p>
      <Problem>{!problem?.field && problem?.message}</Problem>
      <NewPassword
        value={newPassword}
        onChange={setNewPassword}
        error={problem?.field === 'newPassword' ? problem.message : undefined}
      />
      <EndOthers hint="Anyone else who is signed in gets signed out" isOn={endOthers} onChange={setEndOthers} />
    </DialogForm>
  )
}

function ChangeForm({ email, onClose }: FormProps) {
  const [typed, setTyped] = useState({ currentPassword: '', newPassword: '' })
  const [endOthers, setEndOthers] = useState(true)
  const change = useMutation({
    mutationFn: () => call(changePassword, { ...typed, endOthers }),
    onSuccess: ({ othersEnded }) => {
      onClose()
      toast({ title: 'Password changed', description: othersText(othersEnded), tone: 'good' })
    },
  })
  const problem = problemOf(change.error, 'We couldn’t change your password. Please try again.')
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined)

  return (
    <DialogForm label="Save" isBusy={change.isPending} onSubmit={() => change.mutate()} onCancel={onClose}>
      {/* tells password managers whose password this is */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Problem>{!problem?.field && problem?.message}</Problem>
      <Field label="Current password" error={errorOf('currentPassword')}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="password"
            required
            maxLength={MAX_PASSWORD_LENGTH}
            autoComplete="current-password"
            value={typed.currentPassword}
            onChange={({ target }) => setTyped({ ...typed, currentPassword: target.value })}
          />
        )}
      </Field>
      <NewPassword
        value={typed.newPassword}
        onChange={(newPassword) => setTyped({ ...typed, newPassword })}
        error={errorOf('newPassword')}
      />
      <EndOthers hint="Anyone using your old password gets signed out" isOn={endOthers} onChange={setEndOthers} />
    </DialogForm>
  )
}

type EndOthersProps = { hint: string; isOn: boolean; onChange: (isOn: boolean) => void }

const EndOthers = (props: EndOthersProps) => <Switch label="Sign out other devices" {...props} />

type NewPasswordProps = { value: string; onChange: (value: string) => void; error: string | undefined }

function NewPassword({ value, onChange, error }: NewPasswordProps) {
  const { score, word } = strengthOf(value, MIN_PASSWORD_LENGTH)
  return (
    <>
      <Field
        label="New password"
        hint={word ? `Strength: ${word}` : `At least ${MIN_PASSWORD_LENGTH} characters. A few unusual words work well.`}
        error={error}
      >
        {(field) => (
          <input
            {...field}
            className="input"
            type="password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            maxLength={MAX_PASSWORD_LENGTH}
            autoComplete="new-password"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <meter aria-label="New password strength" max={4} low={2} high={3} optimum={4} value={score} />
    </>
  )
}

const othersText = (ended: number) =>
  ended === 0
    ? 'Use your new password from now on.'
    : `${ended} other ${ended === 1 ? 'device was' : 'devices were'} signed out.`
