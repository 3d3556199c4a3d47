import { useState } from 'react'
import { MAX_PASSWORD_LENGTH } from '../../identity/accounts/account.rules.ts'
import { DialogForm, type DialogFormProps } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { problemOf } from '../useAccount.ts'

const NO_REASON = 'That didn’t work. Please try again.'

type AskStepProps = Pick<DialogFormProps, 'label' | 'tone' | 'onCancel' | 'children'> & {
  asks: 'password' | 'code'
  email?: string
  hint?: string
  step: { isPending: boolean; error: Error | null }
  onSend: (typed: string) => void
  otherwise?: string
}

export function AskStep({
  asks,
  email,
  hint = 'The six-digit code your app shows right now',
  step,
  onSend,
  otherwise = NO_REASON,
  children,
  ...form
}: AskStepProps) {
  const [typed, setTyped] = useState('')
  const problem = problemOf(step.error, otherwise)
  const isCode = asks === 'code'
  return (
    <DialogForm {...form} isBusy={step.isPending} onSubmit={() => typed.trim() && onSend(typed)}>
      {children}
      {email && <input type="email" autoComplete="username" value={email} readOnly hidden />}
      <Field
        label={isCode ? 'Code' : 'Your password'}
        {...(isCode && { hint })}
        {...(problem && { error: problem.message })}
      >
        {(field) => (
          <input
            {...field}
            className={isCode ? 'input num' : 'input'}
            type={isCode ? 'text' : 'password'}
            inputMode={isCode ? 'numeric' : 'text'}
            autoComplete={isCode ? 'one-time-code' : 'current-password'}
            maxLength={isCode ? 7 : MAX_PASSWORD_LENGTH}
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
    </DialogForm>
  )
}
