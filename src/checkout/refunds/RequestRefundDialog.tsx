import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { toDecimal } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lineCents } from '../../orders/order.rules.ts'
import type { Order } from '../../orders/orders.contract.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { retryUnanswered } from '../retry.client.ts'
import { canReturn } from './ask.rules.ts'
import { MOST_NOTE, REFUND_REASONS, type RefundReason, requestRefund } from './request.contract.ts'
import { getRefundOffer, takeRefund } from './selfRefund.contract.ts'
import { planOf } from './selfRefund.texts.rules.ts'

const reasons = Object.entries(REFUND_REASONS).map(([value, label]) => ({ value, label }))

type RequestRefundProps = DialogProps & { order: Order; refresh: () => Promise<unknown> }

/** Refunds lines of an order: at once what the buyer has not opened, after a look by staff the rest. */
export function RequestRefundDialog({ isOpen, onClose, order, refresh }: RequestRefundProps) {
  const lines = order.lines.filter(canReturn)
  const [chosen, setChosen] = useState(() => (lines.length === 1 ? lines.map(({ id }) => id) : []))
  const [reason, setReason] = useState<RefundReason>()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  // without the offer everything is asked for
  const { data: offer, isPending } = useQuery({
    ...query(getRefundOffer, { id: order.id }),
    enabled: isOpen,
    refetchOnMount: 'always',
    retry: false,
  })
  const plan = planOf(offer ?? null, chosen)

  async function send() {
    setTried(true)
    document.querySelector<HTMLElement>('.dialog__form :is(input, select):invalid')?.focus()
    if (chosen.length === 0 || !reason || isPending) return
    setBusy(true)
    try {
      if (plan.now.length > 0) {
        const total = toDecimal(plan.nowCents)
        await retryUnanswered(() => call(takeRefund, { id: order.id, lineIds: plan.now, reason, note, total }))
      }
      if (plan.later.length > 0) await call(requestRefund, { id: order.id, lineIds: plan.later, reason, note })
      toast(
        plan.later.length > 0
          ? { title: 'Request sent', description: 'We’ll answer by email and on your order.' }
          : { title: `${usd(plan.nowCents)} is on its way`, description: 'We’ll email you when it is refunded.' },
      )
      onClose()
    } catch (error) {
      toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to send your request. Please try again.')
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  const label =
    plan.now.length === 0 ? 'Send request' : `Refund ${usd(plan.nowCents)}${plan.later.length > 0 ? ' and ask' : ''}`
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Ask for a refund" description={describeOffer(offer?.days)}>
      <DialogForm
        noValidate
        label={label}
        isBusy={isBusy || (isOpen && isPending)}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        <fieldset className="stack gap-2">
          <legend>What did not work out?</legend>
          {lines.map((line) => (
            <label key={line.id} className="check wrap-anywhere">
              <input
                type="checkbox"
                checked={chosen.includes(line.id)}
                required={chosen.length === 0}
                onChange={({ target }) =>
                  setChosen((ids) => (target.checked ? [...ids, line.id] : ids.filter((id) => id !== line.id)))
                }
              />
              {line.title}, {usd(lineCents(line))}
            </label>
          ))}
          {isTried && chosen.length === 0 && <p className="field__error">Choose at least one product.</p>}
        </fieldset>
        {plan.texts.length > 0 && (
          <section className="stack gap-1" aria-label="What will happen">
            <div role="status">
              <ul className="bullets stack gap-1 text-14">
                {plan.texts.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
          </section>
        )}
        <Field label="Why?" {...(isTried && !reason && { error: 'Choose a reason for the refund.' })}>
          {(field) => (
            <Select
              {...field}
              required
              placeholder="Choose one"
              options={reasons}
              value={reason ?? ''}
              onChange={({ target }) => setReason(target.value as RefundReason)}
            />
          )}
        </Field>
        <Field label="What should we know?" note="optional">
          {(field) => (
            <textarea
              {...field}
              className="input"
              maxLength={MOST_NOTE}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}

const describeOffer = (days: number | undefined) =>
  days
    ? `What you haven’t opened within ${days} days is refunded at once. You keep the rest until we answer.`
    : 'You keep your goods until we answer.'
