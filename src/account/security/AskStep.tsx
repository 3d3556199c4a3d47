import { type FormEvent, type ReactNode, useState } from 'react'
import { LONGEST_PASSWORD } from '../../identity/accounts/account.rules.ts'
import { Button, type ButtonLook } from '../../ui/Button.tsx'
import { DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { problemOf } from '../useAccount.ts'

type AskStepProps = {
  asks: 'password' | 'code'
  /** The user name for the browser's password manager. */
  email?: string
  label: string
  tone?: ButtonLook['tone']
  step: { isPending: boolean; error: Error | null }
  onSend: (typed: string) => void
  /** The message when the server gives no reason. */
  otherwise: string
  onCancel: () => void
  children?: ReactNode
}

/** A step of a dialog that takes a password or a code. */
export function AskStep({
  asks,
  email,
  label,
  tone = 'primary',
  step,
  onSend,
  otherwise,
  onCancel,
  children,
}: AskStepProps) {
  const [typed, setTyped] = useState('')
  const problem = problemOf(step.error, otherwise)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() && !step.isPending) onSend(typed)
  }
  const isCode = asks === 'code'
  return (
    <form className="dialog__form" onSubmit={submit}>
      <DialogBody>
        {children}
        {email && <input type="email" autoComplete="username" value={email} readOnly hidden />}
        <Field
          label={isCode ? 'Code' : 'Your password'}
          {...(isCode && { hint: 'The six-digit code your app shows right now' })}
          {...(problem && { error: problem.message })}
        >
          {(field) => (
            <input
              {...field}
              className={isCode ? 'input num' : 'input'}
              type={isCode ? 'text' : 'password'}
              inputMode={isCode ? 'numeric' : 'text'}
              autoComplete={isCode ? 'one-time-code' : 'current-password'}
              maxLength={isCode ? 7 : LONGEST_PASSWORD}
              required
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </DialogBody>
      <DialogFoot onCancel={onCancel}>
        <Button tone={tone} type="submit" isBusy={step.isPending}>
          {label}
        </Button>
      </DialogFoot>
    </form>
  )
}
