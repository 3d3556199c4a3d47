import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toDecimal } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { useContentKey } from '../../kit/values/useContentKey.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Dialog, DialogBody, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Stepper } from '../../ui/form/Stepper.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { retryUnanswered } from '../../checkout/retry.client.ts'
import { MAX_REASON } from '../refunds/refund.contract.ts'
import { getSaleRefundOffer, refundSale, type SaleRefundOffer } from './sellerRefund.contract.ts'
import { describeRefusal, leftCopies, planSaleRefund } from './sellerRefund.texts.rules.ts'

type SellerRefundProps = DialogProps & {
  id: string
  title: string
  /** True if the buyer gave copies away. */
  hasGifts: boolean
  refresh: () => Promise<unknown>
}

export function SellerRefundDialog({ isOpen, onClose, id, title, hasGifts, refresh }: SellerRefundProps) {
  const asked = {
    ...query(getSaleRefundOffer, { id }),
    enabled: isOpen,
    refetchOnMount: 'always',
    staleTime: 0,
  } as const
  const { data: offer, isError, refetch } = useQuery(asked)
  const refusal = offer ? describeRefusal(offer) : null
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Refund this sale" description={title}>
      {offer && refusal === null ? (
        <RefundForm {...{ id, offer, hasGifts, onClose }} refresh={() => Promise.all([refetch(), refresh()])} />
      ) : (
        <DialogBody>
          {refusal !== null ? (
            <p role="alert">{refusal}</p>
          ) : isError ? (
            <ErrorState title="Couldn’t load what can be refunded" onRetry={() => void refetch()} />
          ) : (
            <Skeleton height="12rem" />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

type FormProps = Pick<SellerRefundProps, 'id' | 'hasGifts' | 'onClose' | 'refresh'> & { offer: SaleRefundOffer }

function RefundForm({ id, offer, hasGifts, onClose, refresh }: FormProps) {
  const most = leftCopies(offer)
  const [wantedCopies, setCopies] = useState(most)
  const [reason, setReason] = useState('')
  const [isOpenedKnown, setOpenedKnown] = useState(false)
  const [isTried, setTried] = useState(false)
  const keyOf = useContentKey()
  // another device may have refunded copies meanwhile
  const copies = Math.max(1, Math.min(wantedCopies, most))
  const plan = planSaleRefund(offer, copies)
  const refund = useMutation({
    mutationFn: () => {
      const wanted = { copies, total: toDecimal(plan.backCents), reason: reason.trim(), isOpened: isOpenedKnown }
      const headers = { 'idempotency-key': keyOf(wanted) }
      return retryUnanswered(() => call(refundSale, { id, ...wanted }, { headers }))
    },
    onSuccess: () => {
      toast({ title: 'Refund requested', description: 'The page of the sale shows when it is made.', tone: 'good' })
      onClose()
    },
    onSettled: () => refresh().catch(() => undefined),
  })
  const isOpenedMissing = offer.isOpened && !isOpenedKnown
  const refused =
    refund.error && (reasonOf(refund.error, isRefusal) ?? 'We got no answer. Press again; the refund is made once.')
  return (
    <DialogForm
      noValidate
      tone="bad"
      label={`Refund ${usd(plan.backCents)}`}
      isBusy={refund.isPending}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        if (plan.problem === null && reason.trim() !== '' && !isOpenedMissing) refund.mutate()
      }}
    >
      {most > 1 && (
        <div className="row row--between">
          <span>Copies to refund</span>
          <Stepper label="Copies to refund" value={copies} min={1} max={most} onChange={setCopies} />
        </div>
      )}
      <Field
        label="Reason"
        hint="The buyer reads it in the mail"
        {...(isTried && reason.trim() === '' && { error: 'Give a reason; the buyer reads it.' })}
      >
        {(field) => (
          <textarea
            {...field}
            className="input"
            rows={2}
            maxLength={MAX_REASON}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <Consequences texts={plan.texts} />
      {offer.isOpened && (
        <OpenedCheck
          hasGifts={hasGifts}
          isChecked={isOpenedKnown}
          isMissing={isTried && isOpenedMissing}
          onChange={setOpenedKnown}
        />
      )}
      <Problem>{plan.problem ?? refused ?? undefined}</Problem>
    </DialogForm>
  )
}

const Consequences = ({ texts }: { texts: string[] }) => (
  <section className="stack gap-2" aria-label="What will happen">
    <h3 className="text-14">What will happen</h3>
    <div role="status">
      <ul className="bullets stack gap-1 text-14">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  </section>
)

type OpenedCheckProps = Pick<SellerRefundProps, 'hasGifts'> & {
  isChecked: boolean
  isMissing: boolean
  onChange: (isChecked: boolean) => void
}

const OpenedCheck = ({ hasGifts, isChecked, isMissing, onChange }: OpenedCheckProps) => (
  <div className="stack gap-1">
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? 'sale-opened' : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      {hasGifts ? 'The buyer or the recipient of a gift has' : 'The buyer has'} opened it and may keep a copy. A code
      that was seen is not sold again.
    </label>
    {isMissing && (
      <p className="field__error" id="sale-opened">
        Check this to refund the money anyway.
      </p>
    )}
  </div>
)
