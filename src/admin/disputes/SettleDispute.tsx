import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DisputeCase, settleDispute } from '../../aftersale/disputes/dispute.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { TOTAL, toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import { OrderPart } from '../orders/OrderPart.tsx'

type SettleProps = {
  file: Pick<DisputeCase, 'id' | 'amount' | 'provider' | 'missingSince' | 'canSettle'>
  refresh: () => Promise<unknown>
}

const WAYS = [
  { value: 'won' as const, label: 'The store won' },
  { value: 'lost' as const, label: 'The buyer won' },
  { value: 'part' as const, label: 'The buyer got a part' },
]

const isPartOf = (amount: string, whole: string) =>
  TOTAL.test(amount.trim()) && toCents(amount.trim()) > 0 && toCents(amount.trim()) < toCents(whole)

export function SettleDispute({ file, refresh }: SettleProps) {
  const dialog = useDialog()
  const [outcome, setOutcome] = useState<'won' | 'lost' | 'part'>('won')
  const [amount, setAmount] = useState('')
  const [reference, setReference] = useState('')
  const [isTried, setTried] = useState(false)
  const isAmount = outcome !== 'part' || isPartOf(amount, file.amount)
  const isReady = reference.trim().length >= 3 && isAmount
  const settle = useMutation({
    mutationFn: () =>
      call(settleDispute, {
        ...{ id: file.id, reference, outcome: outcome === 'part' ? 'lost' : outcome },
        ...(outcome === 'part' && { amount: amount.trim() }),
      }),
    onSuccess: () => {
      toast({ title: 'Dispute settled' })
      dialog.props.onClose()
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t settle it. Please try again.'),
    onSettled: refresh,
  })
  const provider = methodLabel(file.provider)
  return (
    <OrderPart title="What to do">
      <div className="card stack">
        <p>
          {provider} doesn’t tell how this dispute ended, since {formatMoment(file.missingSince!)}. The goods stay
          frozen until it ends. Look for the payment on the pages of {provider}, then say how the dispute ended.
        </p>
        {file.canSettle ? (
          <Button tone="primary" className="self-start" onClick={dialog.open}>
            Say how it ended
          </Button>
        ) : (
          <p className="small muted">You can say it an hour after {provider} forgot it: it may only be late.</p>
        )}
      </div>
      {dialog.isWanted && (
        <Dialog
          {...dialog.props}
          title="How did the dispute end?"
          description={`${usd(toCents(file.amount))}. This can’t be changed later, and is kept in the audit log.`}
        >
          <DialogForm
            noValidate
            label="Settle"
            isBusy={settle.isPending}
            onCancel={dialog.props.onClose}
            onSubmit={() => {
              setTried(true)
              if (isReady) settle.mutate()
            }}
          >
            <Segment label="How it ended" options={WAYS} value={outcome} onChange={setOutcome} />
            {outcome === 'part' && (
              <Field
                label="What the buyer got"
                hint={`In US dollars, less than ${usd(toCents(file.amount))}`}
                {...(isTried &&
                  !isAmount && { error: `Enter an amount below ${usd(toCents(file.amount))}, such as 2.00.` })}
              >
                {(field) => (
                  <input
                    {...field}
                    className="input"
                    inputMode="decimal"
                    autoComplete="off"
                    value={amount}
                    onChange={({ target }) => setAmount(target.value)}
                  />
                )}
              </Field>
            )}
            <Field
              label="Where did you read it?"
              {...(isTried && reference.trim().length < 3 && { error: 'Enter where you read the result.' })}
            >
              {(field) => (
                <input
                  {...field}
                  className="input"
                  autoComplete="off"
                  maxLength={200}
                  value={reference}
                  onChange={({ target }) => setReference(target.value)}
                />
              )}
            </Field>
          </DialogForm>
        </Dialog>
      )}
    </OrderPart>
  )
}
