import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settleRefund } from '../../aftersale/refunds/refund.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useDialog } from '../../ui/useDialog.ts'
import type { FiledRefund } from './adminOrders.contract.ts'

type SettleProps = { refund: Pick<FiledRefund, 'id' | 'amount'>; refresh: () => Promise<unknown> }

const WAYS = [
  { value: 'made' as const, label: 'It was made' },
  { value: 'not' as const, label: 'It was not made' },
]

export function SettleRefund({ refund, refresh }: SettleProps) {
  const dialog = useDialog()
  const [isMade, setMade] = useState(true)
  const [typed, setTyped] = useState({ reference: '', reason: '' })
  const [isTried, setTried] = useState(false)
  const isReady = typed.reason.trim() !== '' && (!isMade || typed.reference.trim() !== '')
  const settle = useMutation({
    mutationFn: () =>
      call(settleRefund, {
        ...{ id: refund.id, isMade, reason: typed.reason },
        ...(isMade && { reference: typed.reference }),
      }),
    onSuccess: () => {
      toast({ title: 'Refund settled' })
      dialog.props.onClose()
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t settle it. Please try again.'),
    onSettled: refresh,
  })
  return (
    <>
      <small>The provider doesn’t say what became of it.</small>
      <Button tone="quiet" className="self-start" onClick={dialog.open}>
        Settle by hand
      </Button>
      {dialog.isWanted && (
        <Dialog
          {...dialog.props}
          title="Settle a refund"
          description={`${usd(toCents(refund.amount))}. Look the payment up at the provider first. This is kept in the audit log.`}
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
            <Segment
              label="What became of it"
              options={WAYS}
              value={isMade ? 'made' : 'not'}
              onChange={(way) => setMade(way === 'made')}
            />
            {isMade && (
              <Field
                label="Refund’s id at the provider"
                {...(isTried && !typed.reference.trim() && { error: 'Give the id that the provider shows.' })}
              >
                {(field) => (
                  <input
                    {...field}
                    className="input mono"
                    autoComplete="off"
                    maxLength={100}
                    value={typed.reference}
                    onChange={({ target }) => setTyped({ ...typed, reference: target.value })}
                  />
                )}
              </Field>
            )}
            <Field label="How do you know?" {...(isTried && !typed.reason.trim() && { error: 'Enter how you know.' })}>
              {(field) => (
                <input
                  {...field}
                  className="input"
                  autoComplete="off"
                  maxLength={150}
                  value={typed.reason}
                  onChange={({ target }) => setTyped({ ...typed, reason: target.value })}
                />
              )}
            </Field>
          </DialogForm>
        </Dialog>
      )}
    </>
  )
}
