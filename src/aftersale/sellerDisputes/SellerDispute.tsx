import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { describeReason } from '../disputes/dispute.rules.ts'
import { EvidenceFiles } from '../disputes/EvidenceFiles.tsx'
import type { DisputeFact } from '../disputes/fact.contract.ts'
import { FactText } from './FactText.tsx'
import {
  addDisputeFact,
  attachSaleFile,
  detachSaleFile,
  getSaleDispute,
  MAX_CITED,
  MAX_FACT,
  MAX_FACTS,
  type SaleDispute,
} from './sellerDispute.contract.ts'
import { describeDeadline, describeDelivery } from './sellerDispute.rules.ts'

const MINUTE_MS = 60_000

/** The open dispute of a sale: the frozen sum, the deadline, what the store sends, and what the seller can add. */
export function SellerDispute({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...query(getSaleDispute, { id }), refetchOnMount: 'always' })
  const now = useNow(MINUTE_MS)
  if (error && !data) return <ErrorState title="Couldn’t load the dispute" onRetry={() => void refetch()} />
  if (!data) return <Skeleton height="16rem" />
  return (
    <div className="split">
      <Ticket aria-label="Dispute">
        <TicketPart className="stack">
          <div className="row row--between">
            <h2 className="text-18">The buyer disputes this payment</h2>
            <span className="muted small num">{describeDeadline(data.dueAt, now)}</span>
          </div>
          <p className="wrap-anywhere">{describeReason(data.reason)}.</p>
          <p className="muted small">
            {data.isAnswered
              ? 'The store has answered the payment provider, which decides.'
              : 'Staff answer the payment provider with the deliveries and your files. What you write is for staff. The provider decides.'}
          </p>
        </TicketPart>
        <TicketPart className="stack">
          <Facts facts={data.facts} />
          {data.canAdd ? (
            <AddFact id={id} dispute={data} />
          ) : (
            <p className="muted small">
              {data.canAttach
                ? `You have added ${MAX_FACTS} facts, which is the maximum.`
                : 'You can add nothing more.'}
            </p>
          )}
          <Files id={id} dispute={data} />
        </TicketPart>
      </Ticket>
      <div className="split__side">
        <dl className="card card--pairs pairs">
          <Pair name="Frozen, all your sales of this order" value={usd(toCents(data.frozen))} />
          <Pair name="You keep if the dispute is won" value={usd(toCents(data.frozen))} />
          <Pair name="You keep if the dispute is lost" value={usd(toCents(data.ifLost))} />
        </dl>
        <section className="card stack gap-4" aria-labelledby="sent-anyway">
          <h2 id="sent-anyway" className="text-16">
            What the store sends to the provider
          </h2>
          <Deliveries deliveries={data.deliveries} />
        </section>
      </div>
    </div>
  )
}

const Deliveries = ({ deliveries }: Pick<SaleDispute, 'deliveries'>) =>
  deliveries.length === 0 ? (
    <p className="muted small">The purchase and its receipt. Nothing was delivered yet.</p>
  ) : (
    <ol className="steps">
      {deliveries.map(({ key, title, kind, at }) => (
        <li key={key} className="wrap-anywhere">
          {describeDelivery(kind)}
          <small className="num">
            {isolateRtl(title)}, {formatMoment(at)}
          </small>
        </li>
      ))}
    </ol>
  )

function Files({ id, dispute: { files, free, canAttach } }: { id: string; dispute: SaleDispute }) {
  const cache = useQueryClient()
  // also after a failure, because the answer of a successful call may be lost
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(getSaleDispute, { id }) })
  return (
    <EvidenceFiles
      title={`Evidence for sale #${shortId(id)}`}
      files={files}
      free={free}
      canChange={canAttach}
      hrefOf={(file) => `/dispute-files/${file.id}`}
      attach={(file) => call(attachSaleFile, { id, ...file }).finally(refresh)}
      detach={(fileId) => call(detachSaleFile, { id, fileId }).finally(refresh)}
    />
  )
}

function Facts({ facts }: { facts: DisputeFact[] }) {
  if (facts.length === 0) return null
  return (
    <section className="stack gap-2" aria-labelledby="added-facts">
      <h3 id="added-facts" className="text-16">
        You added
      </h3>
      <ul className="list">
        {facts.map((fact) => (
          <li key={fact.id} className="list__row">
            <FactText fact={fact} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AddFact({ id, dispute: { deliveries } }: { id: string; dispute: SaleDispute }) {
  const cache = useQueryClient()
  const [text, setText] = useState('')
  const [keys, setKeys] = useState<string[]>([])
  const add = useMutation({
    mutationFn: () => call(addDisputeFact, { id, text, deliveryKeys: keys }),
    onSuccess: (dispute) => {
      cache.setQueryData(keyOf(getSaleDispute, { id }), dispute)
      setText('')
      setKeys([])
      toast({ title: 'Added to the case', description: 'Staff read it before they answer.', tone: 'good' })
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to add the fact. Please try again.'),
  })
  const choose = (key: string, isOn: boolean) => setKeys(isOn ? [...keys, key] : keys.filter((one) => one !== key))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '' && !add.isPending) add.mutate()
      }}
    >
      <Field label="What you can add" hint="Anything that shows that the buyer has or uses the product.">
        {(field) => (
          <textarea
            {...field}
            className="input"
            rows={4}
            maxLength={MAX_FACT}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {deliveries.length > 0 && (
        <fieldset className="stack gap-1">
          <legend className="small">This is about</legend>
          {deliveries.map(({ key, title, kind, at }) => (
            <label key={key} className="check wrap-anywhere">
              <input
                type="checkbox"
                checked={keys.includes(key)}
                disabled={!keys.includes(key) && keys.length >= MAX_CITED}
                onChange={({ target }) => choose(key, target.checked)}
              />
              <span className="small">
                {describeDelivery(kind)}: {isolateRtl(title)}, {formatMoment(at)}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="row">
        <Button tone="primary" type="submit" isBusy={add.isPending} aria-disabled={text.trim() === '' || undefined}>
          Add to the case
        </Button>
      </div>
    </form>
  )
}
