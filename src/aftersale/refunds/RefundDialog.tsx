import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { call } from '../../kit/call.client.ts'
import type { Input } from '../../kit/contract.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { useContentKey } from '../../kit/values/useContentKey.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { retryUnanswered } from '../../checkout/retry.client.ts'
import { askRefund, MAX_REASON, type RefundOffer } from './refund.contract.ts'
import type { ShownRefund } from './RefundResult.tsx'
import { type ChosenLine, chosenLines, describeRefund, needsApproval, readAmount } from './refund.texts.rules.ts'

const RefundResult = lazyPart(() => import('./RefundResult.tsx'), 'RefundResult')
const RefundLines = lazyPart(() => import('./RefundLines.tsx'), 'RefundLines')

type RefundDialogProps = {
  isOpen: boolean
  onClose: () => void
  orderId: string
  offer: RefundOffer | null
  hasRequest: boolean
  refunds: ShownRefund[]
  refresh: () => Promise<unknown>
}

export const RefundDialog = ({ isOpen, onClose, ...rest }: RefundDialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Refund" description={`Order #${rest.orderId.slice(-8)}`}>
    <Steps onClose={onClose} {...rest} />
  </Dialog>
)

function Steps({ onClose, orderId, offer, hasRequest, refunds, refresh }: Omit<RefundDialogProps, 'isOpen'>) {
  const ask = useRefund(orderId, refresh)
  const asked = ask.data && (refunds.find(({ id }) => id === ask.data.id) ?? { ...ask.data, refusal: null })
  if (asked) return <RefundResult refund={asked} onClose={onClose} />
  if (offer && canRefund(offer)) return <RefundForm {...{ offer, hasRequest, ask, onClose }} />
  return (
    <>
      <DialogBody>
        <p role="alert">{wordsOf(ask.error) ?? 'All of the money is refunded already, or on its way.'}</p>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Close</Button>
      </DialogFoot>
    </>
  )
}

const canRefund = ({ left, lines, isDisputed }: RefundOffer) =>
  !isDisputed && (toCents(left) > 0 || lines.some((line) => toCents(line.left) > 0))

type FormProps = { offer: RefundOffer; hasRequest: boolean; ask: ReturnType<typeof useRefund>; onClose: () => void }

function RefundForm({ offer, hasRequest, ask, onClose }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const refund = useRefundForm({ offer, ask, form })
  const { typed, type, isByLine, lines, amount, isTried } = refund
  const hasLines = offer.lines.length > 1 || offer.lines.some(({ copies }) => copies > 1)
  return (
    <form ref={form} className="dialog__form" noValidate onSubmit={refund.submit}>
      <DialogBody>
        {hasLines && toCents(offer.left) > 0 && (
          <Segment
            label="What to refund"
            options={WAYS}
            value={isByLine ? 'lines' : 'amount'}
            onChange={(way) => refund.setByLine(way === 'lines')}
          />
        )}
        {isByLine ? (
          <RefundLines
            offer={offer}
            copies={refund.copies}
            onChange={refund.setCopies}
            problem={isTried && typeof amount === 'object' ? amount.problem : null}
          />
        ) : (
          <AmountField offer={offer} typed={typed.amount} amount={amount} onType={(text) => type({ amount: text })} />
        )}
        <Field
          label="Reason"
          hint={
            offer.isErased ? 'Kept with the order' : 'Kept with the order and sent to its buyer in the refund’s mail'
          }
          {...(isTried && refund.isReasonMissing && { error: 'Say why; it is kept with the order.' })}
        >
          {(field) => (
            <input
              {...field}
              className="input"
              autoComplete="off"
              maxLength={MAX_REASON}
              required
              value={typed.reason}
              onChange={({ target }) => type({ reason: target.value })}
            />
          )}
        </Field>
        {typeof amount === 'number' && <Consequences texts={describeRefund(offer, amount, lines, hasRequest)} />}
        {offer.codesSeenAt !== null && (
          <CodesSeen
            at={offer.codesSeenAt}
            isChecked={typed.isCodeSeen}
            isMissing={isTried && refund.isCodeMissing}
            onChange={(isCodeSeen) => type({ isCodeSeen })}
          />
        )}
        <Problem>{wordsOf(ask.error)}</Problem>
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button tone="bad" type="submit" isBusy={ask.isPending}>
          {typeof amount === 'object'
            ? 'Refund'
            : `${needsApproval(offer, amount, isByLine) ? 'Ask to refund' : 'Refund'} ${usd(amount)}`}
        </Button>
      </DialogFoot>
    </form>
  )
}

type RefundFormInput = Pick<FormProps, 'offer' | 'ask'> & { form: RefObject<HTMLFormElement | null> }

/** State of the refund form. Submitting an invalid form focuses the first error. */
function useRefundForm({ offer, ask, form }: RefundFormInput) {
  const [typed, setTyped] = useState({ amount: offer.left, reason: '', isCodeSeen: false })
  const [isByLine, setByLine] = useState(toCents(offer.left) === 0)
  const [copies, setCopies] = useState<Record<string, number>>({})
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries, form])
  const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change })
  const lines = isByLine ? chosenLines(offer, copies) : null
  const amount = lines ? sumOf(lines) : readAmount(typed.amount, toCents(offer.left))
  const reason = typed.reason.trim()
  const isCodeMissing = offer.codesSeenAt !== null && !typed.isCodeSeen
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.isPending) return
    if (typeof amount === 'object' || reason === '' || isCodeMissing) return setTries(tries + 1)
    const { left, isUnused } = offer
    const named = lines && { lines: lines.map((line) => ({ id: line.id, copies: line.copies })) }
    ask.mutate({ amount: toDecimal(amount), left, reason, isUnused, isCodeSeen: typed.isCodeSeen, ...named })
  }
  return {
    ...{ typed, type, isByLine, setByLine, copies, lines, amount, submit },
    setCopies: (id: string, count: number) => setCopies({ ...copies, [id]: count }),
    isTried: tries > 0,
    isReasonMissing: reason === '',
    isCodeMissing,
  }
}

type AmountFieldProps = {
  offer: RefundOffer
  typed: string
  amount: Amount
  onType: (text: string) => void
}

const AmountField = ({ offer, typed, amount, onType }: AmountFieldProps) => (
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
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onFocus={({ target }) => target.select()}
      />
    )}
  </Field>
)

const Consequences = ({ texts }: { texts: string[] }) => (
  <section className="stack gap-2" aria-label="What will happen">
    <h3 className="text-14">What will happen</h3>
    <div role="status">
      <ul className="bullets stack gap-1 text-14">
        {texts.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  </section>
)

const WAYS = [
  { value: 'amount' as const, label: 'An amount' },
  { value: 'lines' as const, label: 'By product' },
]

type Amount = number | { problem: string }

function sumOf(lines: ChosenLine[]): Amount {
  const cents = lines.reduce((sum, line) => sum + line.cents, 0)
  return cents > 0 ? cents : { problem: 'Choose at least one product.' }
}

type CodesSeenProps = { at: string; isChecked: boolean; isMissing: boolean; onChange: (isChecked: boolean) => void }

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
        Check this to refund the money anyway.
      </p>
    )}
  </div>
)

type RefundInput = Omit<Input<typeof askRefund>, 'id'>

/** Requests a refund. A retry of the same request has the same key. `refresh` refetches the order. */
function useRefund(orderId: string, refresh: () => Promise<unknown>) {
  const keyOf = useContentKey()
  return useMutation({
    mutationFn: (asked: RefundInput) => {
      const headers = { 'idempotency-key': keyOf([asked.amount, asked.reason, asked.lines]) }
      return retryUnanswered(() => call(askRefund, { id: orderId, ...asked }, { headers }))
    },
    onSettled: () => refresh().catch(() => undefined),
  })
}

function wordsOf(error: Error | null): string | undefined {
  if (!error) return undefined
  return reasonOf(error, isRefusal) ?? 'No answer came. Press again: the same refund is made once.'
}
