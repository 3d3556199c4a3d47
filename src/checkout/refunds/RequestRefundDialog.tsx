import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lineCents } from '../../orders/order.rules.ts'
import type { Order } from '../../orders/orders.contract.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { MOST_NOTE, REFUND_REASONS, type RefundReason, requestRefund } from './request.contract.ts'

const reasons = Object.entries(REFUND_REASONS).map(([value, label]) => ({ value, label }))

type RequestRefundProps = DialogProps & { order: Order; refresh: () => Promise<unknown> }

/** Asks staff to refund lines of an order. */
export function RequestRefundDialog({ isOpen, onClose, order, refresh }: RequestRefundProps) {
  const lines = order.lines.filter(({ refundRequest }) => !refundRequest)
  const [chosen, setChosen] = useState(() => (lines.length === 1 ? lines.map(({ id }) => id) : []))
  const [reason, setReason] = useState<RefundReason>()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)

  async function send() {
    setTried(true)
    document.querySelector<HTMLElement>('.dialog__form :is(input, select):invalid')?.focus()
    if (chosen.length === 0 || !reason) return
    setBusy(true)
    try {
      await call(requestRefund, { id: order.id, lineIds: chosen, reason, note })
      toast({ title: 'Request sent', description: 'We’ll answer by email and on your order.' })
      onClose()
    } catch (error) {
      toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to send your request. Please try again.')
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Ask for a refund"
      description="You keep your goods until we answer."
    >
      <DialogForm noValidate label="Send request" isBusy={isBusy} onSubmit={() => void send()} onCancel={onClose}>
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
