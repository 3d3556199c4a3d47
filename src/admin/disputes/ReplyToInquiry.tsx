import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type DisputeCase, MAX_REPLY_LENGTH, replyToInquiry } from '../../aftersale/disputes/dispute.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { TOTAL, toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { OrderPart } from '../orders/OrderPart.tsx'

type ReplyProps = { file: Pick<DisputeCase, 'id' | 'amount' | 'provider'>; refresh: () => Promise<unknown> }

export function ReplyToInquiry({ file, refresh }: ReplyProps) {
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [text, setText] = useState('')
  const [offer, setOffer] = useState('')
  const [isTried, setTried] = useState(false)
  const offered = offer.trim()
  const isOffer =
    offered === '' || (TOTAL.test(offered) && toCents(offered) > 0 && toCents(offered) <= toCents(file.amount))
  const isReady = text.trim() !== '' && isOffer
  const send = useMutation({
    mutationFn: () => call(replyToInquiry, { id: file.id, key, text, ...(offered !== '' && { offer: offered }) }),
    onSuccess: () => {
      toast({ title: offered === '' ? 'Message sent' : 'Offer sent' })
      setKey(crypto.randomUUID())
      setText('')
      setOffer('')
      setTried(false)
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t send the message. Please try again.'),
    onSettled: refresh,
  })
  return (
    <OrderPart title="Write to the buyer">
      <form
        className="card stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (isReady) send.mutate()
        }}
      >
        <p className="small muted">
          This is an inquiry: {methodLabel(file.provider)} accepts no evidence yet. Find a solution with the buyer.
          Either side may escalate it to a claim.
        </p>
        <Field label="Message" {...(isTried && text.trim() === '' && { error: 'Write a message.' })}>
          {(field) => (
            <textarea
              {...field}
              className="input"
              maxLength={MAX_REPLY_LENGTH}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Field
          label="Offer a refund of"
          note="optional"
          hint="In US dollars. When the buyer accepts, the provider returns it."
          {...(isTried && !isOffer && { error: `Enter at most ${usd(toCents(file.amount))}, such as 2.00.` })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              inputMode="decimal"
              autoComplete="off"
              value={offer}
              onChange={({ target }) => setOffer(target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button tone="primary" type="submit" isBusy={send.isPending}>
            {offered === '' ? 'Send the message' : 'Send the offer'}
          </Button>
        </div>
      </form>
    </OrderPart>
  )
}
