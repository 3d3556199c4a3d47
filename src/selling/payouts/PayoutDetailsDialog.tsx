import { useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { type DetailsInput, type OwnPayouts, savePayoutDetails } from '../../payments/payouts/payouts.contract.ts'
import { problemOfBank, tidyAccount } from '../../payments/payouts/bank.rules.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import type { Problems } from '../../ui/form/savedForm.rules.ts'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { payoutsQuery } from './usePayouts.ts'

type Method = OwnPayouts['methods'][number]
type Typed = typeof EMPTY & { method: Method }

const EMPTY = { email: '', holder: '', account: '', bank: '' }

const names = [
  { value: 'paypal' as const, label: 'PayPal' },
  { value: 'bank' as const, label: 'Bank account' },
]

type PayoutDetailsProps = DialogProps & { methods: Method[] }

export const PayoutDetailsDialog = (dialog: PayoutDetailsProps) => (
  <Dialog
    {...dialog}
    title="Payout details"
    description="When this changes, we mail your account’s address and the one that payouts went to before."
  >
    <DetailsForm {...dialog} />
  </Dialog>
)

function DetailsForm({ onClose, methods }: PayoutDetailsProps) {
  const cache = useQueryClient()
  const form = useSavedForm({
    saved: EMPTY,
    valuesOf: (empty): Typed => ({ ...empty, method: methods[0]! }),
    problemsOf,
    save: async ({ method, email, ...bank }) => {
      const details: DetailsInput = method === 'paypal' ? { method, email } : { method, ...bank }
      cache.setQueryData(payoutsQuery.queryKey, await call(savePayoutDetails, { details }))
      toast({ title: 'Payout details saved' })
    },
    onSaved: onClose,
    failure: 'We couldn’t save your payout details. Please try again.',
    onFailure: toastFailure,
  })
  const { method } = form.values
  const field = (name: keyof typeof EMPTY, label: string, more: { type?: string; maxLength: number }) => (
    <Field label={label} error={form.errorOf(name)}>
      {(control) => (
        <input
          type="text"
          {...more}
          {...control}
          {...form.field(name)}
          className="input"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  )
  return (
    <DialogForm label="Save" noValidate isBusy={form.isBusy} onCancel={onClose} onSubmit={form.submit}>
      {methods.length > 1 && (
        <Segment
          label="How you are paid"
          options={names.filter(({ value }) => methods.includes(value))}
          value={method}
          onChange={(next) => form.put({ method: next })}
        />
      )}
      {method === 'paypal' ? (
        field('email', 'Email of your PayPal account', { type: 'email', maxLength: 127 })
      ) : (
        <>
          {field('holder', 'Name on the account', { maxLength: 70 })}
          {field('account', 'IBAN or account number', { maxLength: 42 })}
          {field('bank', 'BIC or routing number', { maxLength: 14 })}
        </>
      )}
    </DialogForm>
  )
}

function problemsOf({ method, email, holder, account, bank }: Typed): Problems<keyof Typed> {
  if (method === 'paypal')
    return /^\S+@\S+\.\S+$/.test(email.trim()) ? {} : { email: 'Enter an email address, like ada@example.com' }
  if (!holder.trim()) return { holder: 'Enter the name on the account' }
  const problem = problemOfBank(tidyAccount(account), tidyAccount(bank))
  return problem ? { [problem.field]: problem.message } : {}
}
