import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { describeException, openExceptions } from './pay.rules.ts'
import { getTransfer, giveRefundAddress, type TransferPayment } from './transfers.contract.ts'

export function RefundAddress({ payment }: { payment: TransferPayment }) {
  const { orderId, network } = payment
  const cache = useQueryClient()
  const open = openExceptions(payment)
  const asked = open.find(({ state }) => state === 'open')
  const [isChanging, setChanging] = useState(false)
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState<string>()
  const give = useMutation({
    mutationFn: () => call(giveRefundAddress, { orderId, address }),
    onSuccess: (now) => {
      cache.setQueryData(keyOf(getTransfer, { orderId }), now)
      setProblem(undefined)
      setChanging(false)
      setAddress('')
      toast({
        title: 'Address saved',
        description: 'We have mailed it to you. You can correct it until we send the money.',
      })
    },
    onError: (error) => {
      const reason = reasonOf(error, isRefusal)
      if (reason) setProblem(reason)
      else toastFailure(error, 'We couldn’t save the address. Please try again.')
    },
  })
  if (open.length === 0) return null
  return (
    <section className="card stack gap-4" aria-label="Money that goes back">
      {open.map((exception) => (
        <p key={exception.id}>{describeException(exception)}</p>
      ))}
      {asked?.refundAddress && (
        <p className="small wrap-anywhere">
          Address: <span className="mono">{asked.refundAddress}</span>
          {asked.waitsUntil && `. You changed it, so we wait until ${formatMoment(asked.waitsUntil)}.`}
        </p>
      )}
      {asked?.refundAddress && !isChanging && <Button onClick={() => setChanging(true)}>Change the address</Button>}
      {asked && (isChanging || !asked.refundAddress) && (
        <form
          className="stack gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!give.isPending) give.mutate()
          }}
        >
          <Field
            label="Where shall we send it?"
            hint={`Your wallet’s address on ${network}. You can correct it until we send the money. We never send money to the address that it came from.`}
            {...(problem && { error: problem })}
          >
            {(field) => (
              <input
                {...field}
                className="input mono"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder="0x"
                maxLength={100}
                value={address}
                onChange={({ target }) => setAddress(target.value)}
              />
            )}
          </Field>
          <Button type="submit" tone="primary" isBusy={give.isPending}>
            Save the address
          </Button>
        </form>
      )}
    </section>
  )
}
