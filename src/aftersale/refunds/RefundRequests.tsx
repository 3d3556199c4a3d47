import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { declineRefund, MAX_NOTE, REFUND_REASONS, type RefundRequest } from './request.contract.ts'

type RefundRequestsProps = {
  orderId: string
  requests: RefundRequest[]
  canAnswer: boolean
  canRefund: boolean
  refresh: () => Promise<unknown>
}

export function RefundRequests({ orderId, requests, canAnswer, canRefund, refresh }: RefundRequestsProps) {
  const [answer, setAnswer] = useState('')
  const [isTried, setTried] = useState(false)
  const error = isTried && !answer.trim() && 'Tell the buyer why you decline.'
  const decline = useMutation({
    mutationFn: () => call(declineRefund, { id: orderId, answer }),
    onError: (error) => toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to decline. Please try again.'),
    onSettled: refresh,
  })
  return (
    <section className="stack gap-2" aria-labelledby="refund-requests">
      <h2 id="refund-requests" className="text-18">
        Refund requests
      </h2>
      <ul className="list">
        {requests.map(({ lineId, title, reason, note, state, answer: told, at }) => (
          <li key={lineId} className="list__row">
            <span className="grow wrap-anywhere">
              <strong>{title}</strong>
              <small>
                {REFUND_REASONS[reason]} · {formatMoment(at)} · {state}
              </small>
              {note && <small>{note}</small>}
              {told && <small>Answer: {told}</small>}
            </span>
          </li>
        ))}
      </ul>
      {canAnswer && requests.some(({ state }) => state === 'open') && (
        <form
          className="card stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (answer.trim()) decline.mutate()
            else event.currentTarget.querySelector('textarea')?.focus()
          }}
        >
          {canRefund && <p className="small muted">Press Refund to grant it, or tell the buyer why not.</p>}
          <Field label="Reason against it" {...(error && { error })}>
            {(field) => (
              <textarea
                {...field}
                className="input"
                required
                maxLength={MAX_NOTE}
                value={answer}
                onChange={({ target }) => setAnswer(target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button type="submit" isBusy={decline.isPending}>
              Decline
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
