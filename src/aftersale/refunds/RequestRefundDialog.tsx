import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { toDecimal } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { LineCover } from '../../purchases/OrderCard.tsx'
import { lineCents } from '../../purchases/order.rules.ts'
import { fromBundle } from '../../purchases/fromBundle.rules.ts'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { retryUnanswered } from '../../checkout/retry.client.ts'
import { canReturn } from './ask.rules.ts'
import { MAX_NOTE, REFUND_REASONS, type RefundReason, requestRefund } from './request.contract.ts'
import { type BuyerRefundOffer, getRefundOffer, takeRefund } from './selfRefund.contract.ts'
import { centsOf, type Chosen, planOf } from './selfRefund.texts.rules.ts'

const reasons = Object.entries(REFUND_REASONS).map(([value, label]) => ({ value, label }))

type RequestRefundProps = DialogProps & { order: Order; refresh: () => Promise<unknown> }

export function RequestRefundDialog({ isOpen, onClose, order, refresh }: RequestRefundProps) {
  const lines = order.lines.filter(canReturn)
  const [chosen, setChosen] = useState<Chosen>(() => (lines.length === 1 ? chooseAll(lines) : {}))
  const isChosen = Object.values(chosen).some(Boolean)
  const [reason, setReason] = useState<RefundReason>()
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const { data: offer, isPending } = useQuery({
    ...query(getRefundOffer, { id: order.id }),
    // stays disabled after a refund: nothing may be left to refund
    enabled: isOpen && !isBusy,
    refetchOnMount: 'always',
    retry: false,
  })
  const plan = planOf(offer ?? null, chosen)

  async function send() {
    setTried(true)
    document.querySelector<HTMLElement>('.dialog__form :is(input, select):invalid')?.focus()
    if (!isChosen || !reason || isPending) return
    setBusy(true)
    try {
      if (plan.now.length > 0) {
        const asked = { lineIds: idsOf(plan.now), copies: plan.now, total: toDecimal(plan.nowCents) }
        await retryUnanswered(() => call(takeRefund, { id: order.id, ...asked, reason, note }))
      }
      if (plan.later.length > 0) await call(requestRefund, { id: order.id, lineIds: idsOf(plan.later), reason, note })
      toast(
        plan.later.length > 0
          ? { title: 'Request sent', description: 'We’ll answer by email and on your order.' }
          : { title: `We refund ${usd(plan.nowCents)}`, description: 'Your order and an email show when it is done.' },
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
            <RefundLine
              key={line.id}
              line={line}
              offered={offer?.lines.find(({ id }) => id === line.id)}
              copies={chosen[line.id] ?? 0}
              isRequired={!isChosen}
              onChange={(copies) => setChosen({ ...chosen, [line.id]: copies })}
            />
          ))}
          {isTried && !isChosen && <p className="field__error">Choose at least one product.</p>}
        </fieldset>
        {plan.texts.length > 0 && <Consequences texts={plan.texts} />}
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
              maxLength={MAX_NOTE}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
      </DialogForm>
    </Dialog>
  )
}

const Consequences = ({ texts }: { texts: string[] }) => (
  <section className="stack gap-1" aria-label="What will happen">
    <div role="status">
      <ul className="bullets stack gap-1 text-14">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  </section>
)

const copiesOf = ({ quantity, refunded }: OrderLine) => quantity - refunded
const chooseAll = (lines: OrderLine[]): Chosen => Object.fromEntries(lines.map((line) => [line.id, copiesOf(line)]))
const idsOf = (chosen: { id: string }[]) => chosen.map(({ id }) => id)

type RefundLineProps = {
  line: OrderLine
  offered: BuyerRefundOffer['lines'][number] | undefined
  copies: number
  isRequired: boolean
  onChange: (copies: number) => void
}

function RefundLine({ line, offered, copies, isRequired, onChange }: RefundLineProps) {
  const most = copiesOf(line)
  const cents = offered ? centsOf(offered, copies || most) : lineCents(line)
  return (
    <div className="row row--between">
      <label className="check grow wrap-anywhere">
        <input
          type="checkbox"
          checked={copies > 0}
          required={isRequired}
          onChange={({ target }) => onChange(target.checked ? most : 0)}
        />
        <LineCover line={line} />
        <span className="grow">
          {most > 1 && `${copies || most} × `}
          <bdi>{line.title}</bdi>
          {fromBundle(line.bundle?.title)}
        </span>{' '}
        <span className="money">{usd(cents)}</span>
      </label>
      {most > 1 && copies > 0 && offered && (
        <Select
          aria-label={`Copies of ${line.title}`}
          options={Array.from({ length: Math.min(most, 100) }, (_, i) => ({
            value: String(i + 1),
            label: `${i + 1} of ${most}`,
          }))}
          value={String(copies)}
          onChange={({ target }) => onChange(Number(target.value))}
        />
      )}
    </div>
  )
}

const describeOffer = (days: number | undefined) =>
  days
    ? `What you haven’t opened within ${days} days is refunded at once. You keep the rest until we answer.`
    : 'You keep your goods until we answer.'
