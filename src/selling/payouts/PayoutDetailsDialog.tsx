import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { type DetailsInput, type OwnPayouts, savePayoutDetails } from '../../payments/payouts/payouts.contract.ts'
import { problemOfBank, tidyAccount } from '../../payments/payouts/bank.rules.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { payoutsQuery } from './usePayouts.ts'

type Method = OwnPayouts['methods'][number]
type Problem = { field: string; message: string } | null

const names = [
  { value: 'paypal' as const, label: 'PayPal' },
  { value: 'bank' as const, label: 'Bank account' },
]

export function PayoutDetailsDialog({ isOpen, onClose, methods }: DialogProps & { methods: Method[] }) {
  const cache = useQueryClient()
  const [method, setMethod] = useState(methods[0]!)
  const [typed, setTyped] = useState({ email: '', holder: '', account: '', bank: '' })
  const [problem, setProblem] = useState<Problem>(null)
  const save = useMutation({
    mutationFn: (details: DetailsInput) => call(savePayoutDetails, { details }),
    onSuccess: (payouts) => {
      cache.setQueryData(payoutsQuery.queryKey, payouts)
      toast({ title: 'Payout details saved' })
      setTyped({ email: '', holder: '', account: '', bank: '' })
      onClose()
    },
    onError: (error) => {
      const field = error instanceof Failure ? error.details?.field : undefined
      const message = reasonOf(error, isRefusal)
      if (typeof field === 'string' && message) setProblem({ field, message })
      else toastFailure(error, message ?? 'We couldn’t save your payout details. Please try again.')
    },
  })
  const submit = () => {
    const found = check(method, typed)
    setProblem(found)
    if (found) return
    const { email, ...bank } = typed
    save.mutate(method === 'paypal' ? { method, email } : { method, ...bank })
  }
  const field = (name: keyof typeof typed, label: string, more: { hint?: string; type?: string; most: number }) => (
    <Field
      label={label}
      {...(more.hint && { hint: more.hint })}
      {...(problem?.field === name && { error: problem.message })}
    >
      {(control) => (
        <input
          {...control}
          className="input"
          type={more.type ?? 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={more.most}
          value={typed[name]}
          onChange={({ target }) => {
            setTyped({ ...typed, [name]: target.value })
            setProblem(null)
          }}
        />
      )}
    </Field>
  )
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Payout details"
      description="We mail your account’s address and the one that payouts went to before."
    >
      <DialogForm label="Save" noValidate isBusy={save.isPending} onCancel={onClose} onSubmit={submit}>
        {methods.length > 1 && (
          <Segment
            label="How you are paid"
            options={names.filter(({ value }) => methods.includes(value))}
            value={method}
            onChange={setMethod}
          />
        )}
        {method === 'paypal' ? (
          field('email', 'Email of your PayPal account', { type: 'email', most: 127 })
        ) : (
          <>
            {field('holder', 'Name on the account', { most: 70 })}
            {field('account', 'IBAN or account number', { most: 42 })}
            {field('bank', 'BIC or routing number', { most: 14 })}
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}

type Typed = { email: string; holder: string; account: string; bank: string }

function check(method: Method, { email, holder, account, bank }: Typed): Problem {
  if (method === 'paypal')
    return /^\S+@\S+\.\S+$/.test(email.trim())
      ? null
      : { field: 'email', message: 'Enter an email address, like ada@example.com' }
  if (!holder.trim()) return { field: 'holder', message: 'Enter the name on the account' }
  return problemOfBank(tidyAccount(account), tidyAccount(bank))
}
