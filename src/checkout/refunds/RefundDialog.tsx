import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toCents, toDecimal } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { MOST_REASON, type RefundOffer } from './refund.contract.ts'
import { RefundResult, type ShownRefund } from './RefundResult.tsx'
import { describeRefund, readAmount } from './refund.texts.rules.ts'
import { useRefund, wordsOf } from './useRefund.ts'

type RefundDialogProps = {
  isOpen: boolean
  onClose: () => void
  orderId: string
  /** The refundable rest; null without one. */
  offer: RefundOffer | null
  /** All refunds of the order, with their current status. */
  refunds: ShownRefund[]
  refresh: () => Promise<unknown>
}

/** Refunds an order: lists the effects, asks once, and shows the result. */
export const RefundDialog = ({ isOpen, onClose, ...rest }: RefundDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Refund" description={`Order #${rest.orderId.slice(-8)}`}>
    <Steps onClose={onClose} {...rest} />
  </Dialog>
)

function Steps({ onClose, orderId, offer, refunds, refresh }: Omit<RefundDialogProps, 'isOpen'>) {
  const ask = useRefund(orderId, refresh)
  const asked = ask.data && (refunds.find(({ id }) => id === ask.data.id) ?? { ...ask.data, refusal: null })
  if (asked) return <RefundResult refund={asked} onClose={onClose} />
  if (offer && toCents(offer.left) > 0) return <RefundForm offer={offer} ask={ask} onClose={onClose} />
  return (
    <>
      <DialogBody>
        <p role="alert">{wordsOf(ask.error) ?? 'All of the money is given back already, or on its way.'}</p>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Close</Button>
      </DialogFoot>
    </>
  )
}

type FormProps = { offer: RefundOffer; ask: ReturnType<typeof useRefund>; onClose: () => void }

function RefundForm({ offer, ask, onClose }: FormProps) {
  const [typed, setTyped] = useState({ amount: offer.left, reason: '', isCodeSeen: false })
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries])
  const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change })
  const amount = readAmount(typed.amount, toCents(offer.left))
  const reason = typed.reason.trim()
  const isCodeMissing = offer.codesSeenAt !== null && !typed.isCodeSeen
  const isTried = tries > 0
  const problem = wordsOf(ask.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.isPending) return
    if (typeof amount === 'object' || reason === '' || isCodeMissing) return setTries(tries + 1)
    const { left, isUnused } = offer
    ask.mutate({ amount: toDecimal(amount), left, reason, isUnused, isCodeSeen: typed.isCodeSeen })
  }
  return (
    <form ref={form} className="dialog__form" noValidate onSubmit={submit}>
      <DialogBody>
        <Field
          label="Amount"
          note={`USD, at most ${usd(toCents(offer.left))}`}
          {...(offer.isUnused && { hint: 'What could not be used goes back whole.' })}
          {...(typeof amount === 'object' && { error: amount.problem })}
        >
          {(field) => (
            <input
              {...field}
              className="input num"
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              readOnly={offer.isUnused}
              value={typed.amount}
              onChange={({ target }) => type({ amount: target.value })}
              onFocus={({ target }) => target.select()}
            />
          )}
        </Field>
        <Field
          label="Reason"
          hint={
            offer.isErased ? 'Kept with the order' : 'Kept with the order and sent to its buyer in the refund’s mail'
          }
          {...(isTried && reason === '' && { error: 'Say why; it is kept with the order.' })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              autoComplete="off"
              maxLength={MOST_REASON}
              required
              value={typed.reason}
              onChange={({ target }) => type({ reason: target.value })}
            />
          )}
        </Field>
        {typeof amount === 'number' && (
          <section className="stack gap-2" aria-label="What will happen">
            <h3 className="text-14">What will happen</h3>
            <div role="status">
              <ul className="bullets stack gap-1 text-14">
                {describeRefund(offer, amount).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          </section>
        )}
        {offer.codesSeenAt !== null && (
          <CodesSeen
            at={offer.codesSeenAt}
            isChecked={typed.isCodeSeen}
            isMissing={isTried && isCodeMissing}
            onChange={(isCodeSeen) => type({ isCodeSeen })}
          />
        )}
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button tone="bad" type="submit" isBusy={ask.isPending}>
          {typeof amount === 'number' ? `Refund ${usd(amount)}` : 'Refund'}
        </Button>
      </DialogFoot>
    </form>
  )
}

type CodesSeenProps = { at: string; isChecked: boolean; isMissing: boolean; onChange: (isChecked: boolean) => void }

/** Staff confirm by hand that the buyer has seen codes. */
const CodesSeen = ({ at, isChecked, isMissing, onChange }: CodesSeenProps) => (
  <div className="stack gap-1">
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? 'codes-seen' : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      The customer has seen the codes, first on {formatMoment(at)}. They may have been used.
    </label>
    {isMissing && (
      <p className="field__error" id="codes-seen">
        Check this to give the money back all the same.
      </p>
    )}
  </div>
)
