import { type ReactNode, useState } from 'react'
import { LONGEST_PASSWORD } from '../../identity/accounts/account.rules.ts'
import type { ButtonLook } from '../../ui/Button.tsx'
import { DialogForm } from '../../ui/Dialog.tsx'
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
export function AskStep({ asks, email, label, tone, step, onSend, otherwise, onCancel, children }: AskStepProps) {
  const [typed, setTyped] = useState('')
  const problem = problemOf(step.error, otherwise)
  const isCode = asks === 'code'
  return (
    <DialogForm
      label={label}
      tone={tone}
      isBusy={step.isPending}
      onSubmit={() => typed.trim() && onSend(typed)}
      onCancel={onCancel}
    >
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
    </DialogForm>
  )
}
