import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import {
  type DisputeCase,
  MAX_EVIDENCE_NOTE,
  readDispute,
  submitEvidence,
} from '../../aftersale/disputes/dispute.contract.ts'
import { describeReason } from '../../aftersale/disputes/dispute.rules.ts'
import { FactText } from '../../aftersale/sellerDisputes/FactText.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { call, isMissing } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { OrderPart } from '../orders/OrderPart.tsx'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { DisputeState } from './DisputeState.tsx'
import { TimeLeft } from './TimeLeft.tsx'

const DisputeFiles = lazyPart(() => import('./DisputeFiles.tsx'), 'DisputeFiles')
const OtherStep = lazyPart(() => import('./OtherStep.tsx'), 'OtherStep')

const LOOK_EVERY_MS = 5_000
const isWaiting = (file: DisputeCase | undefined) => file !== undefined && file.note !== null && !file.sentAt

export function DisputePage({ id }: { id: string }) {
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    ...query(readDispute, { id }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isWaiting(state.data) ? LOOK_EVERY_MS : false),
  })
  return (
    <StaffPage
      back={
        <LinkButton
          tone="ghost"
          className="btn--back"
          href="/admin/disputes"
          icon={<ChevronLeft className="icon" aria-hidden />}
        >
          All disputes
        </LinkButton>
      }
      title={file ? `Dispute of ${usd(toCents(file.amount))}` : 'Dispute'}
      about={file && `Order #${shortId(file.orderId)}, opened ${formatDay(file.openedAt)}`}
      action={file && <DisputeState dispute={file} />}
    >
      {file ? (
        <File file={file} refresh={refetch} />
      ) : isMissing(error) ? (
        <EmptyState scene="receipt" title="We couldn’t find that dispute">
          It may belong to another store.
        </EmptyState>
      ) : error ? (
        <ErrorState title="Couldn’t load the dispute" onRetry={refetch} />
      ) : (
        <RowsSkeleton label="Loading the dispute" />
      )}
    </StaffPage>
  )
}

const File = ({ file, refresh }: { file: DisputeCase; refresh: () => Promise<unknown> }) => (
  <div className="twocol">
    <div className="stack gap-5">
      <OrderPart title="Dispute">
        <div className="card card--pairs">
          <dl className="pairs">
            <Pair name="Why" value={describeReason(file.reason)} />
            <Pair name={methodLabel(file.provider)} value={<span className="mono">{file.disputeRef}</span>} />
            {file.dueAt && (
              <Pair
                name="Answer by"
                value={
                  <>
                    {formatMoment(file.dueAt)}
                    <TimeLeft dispute={file} />
                  </>
                }
              />
            )}
            {file.endedAt && <Pair name="Ended" value={formatMoment(file.endedAt)} />}
            {file.lost && file.lost !== file.amount && <Pair name="The buyer got" value={usd(toCents(file.lost))} />}
            {toCents(file.held) > 0 && <Pair name="Kept by the provider" value={usd(toCents(file.held))} />}
          </dl>
        </div>
        <LinkButton className="self-start" href={`/admin/orders/${file.orderId}`}>
          Open the order
        </LinkButton>
      </OrderPart>
      <NextStep file={file} refresh={refresh} />
    </div>
    <div className="stack gap-5">
      {file.facts.length > 0 && <FactsPart facts={file.facts} />}
      {(file.files.length > 0 || file.canSubmit) && <DisputeFiles file={file} refresh={refresh} />}
      <EvidencePart evidence={file.evidence} />
    </div>
  </div>
)

const FactsPart = ({ facts }: Pick<DisputeCase, 'facts'>) => (
  <OrderPart title="From the seller">
    <ul className="list">
      {facts.map((fact) => (
        <li key={fact.id} className="list__row row--wrap">
          <FactText fact={fact} />
          <small className="muted">{isolateRtl(fact.seller)}</small>
        </li>
      ))}
    </ul>
    <p className="small muted">The provider does not get this text. Copy the useful parts into your note.</p>
  </OrderPart>
)

type PartProps = { file: DisputeCase; refresh: () => Promise<unknown> }

const NextStep = (props: PartProps) =>
  props.file.missingSince || props.file.canReply ? <OtherStep {...props} /> : <Answer {...props} />

const EvidencePart = ({ evidence }: Pick<DisputeCase, 'evidence'>) => (
  <OrderPart title="Evidence">
    <div className="card card--pairs">
      <dl className="pairs">
        <Pair name="Buyer" value={`${evidence.buyerName}, ${evidence.buyerEmail}`} />
        <Pair name="Country" value={evidence.country ?? 'Unknown'} />
        <Pair name="Address" value={evidence.ip ?? 'Unknown'} />
        <Pair name="Bought" value={formatMoment(evidence.boughtAt)} />
        <Pair name="Goods" value={evidence.productDescription} />
      </dl>
    </div>
    <ul className="list" aria-label="Deliveries">
      {evidence.deliveryLog.map((line, i) => (
        <li key={i} className="list__row wrap-anywhere">
          <small>{line}</small>
        </li>
      ))}
    </ul>
    <p className="small muted wrap-anywhere">{evidence.refundPolicy}</p>
  </OrderPart>
)

function Answer({ file, refresh }: PartProps) {
  const [note, setNote] = useState('')
  const send = useMutation({
    mutationFn: () =>
      call(submitEvidence, { id: file.id, note, facts: file.facts.length, fileIds: file.files.map(({ id }) => id) }),
    onSuccess: () => toast({ title: 'Answer on its way' }),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t send it. Please try again.'),
    onSettled: refresh,
  })
  if (file.note !== null)
    return (
      <OrderPart title="Answer">
        <div className="card stack gap-2">
          <p role="status">
            {file.sentAt
              ? `Sent ${formatMoment(file.sentAt)} by ${file.sender}. The provider decides.`
              : 'On its way. The store keeps trying by itself.'}
          </p>
          {file.note && <p className="wrap-anywhere pre-line">{file.note}</p>}
        </div>
      </OrderPart>
    )
  if (!file.canSubmit)
    return file.endedAt ? null : <p className="small muted">Answer this dispute on the pages of the provider.</p>
  return (
    <OrderPart title="Answer">
      <form
        className="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate()
        }}
      >
        {file.refusal && (
          <p role="alert" className="small">
            The last answer failed: {file.refusal}.
          </p>
        )}
        {file.stage === 'warning' && (
          <p className="small">
            A bank asks about this payment. No money has moved. Send the evidence, or refund the order.
          </p>
        )}
        <p className="small muted">
          The evidence and files on this page are sent with your note, once. They can’t be changed later.
        </p>
        <Field label="Note" note="optional" hint="What else should the provider know?">
          {(field) => (
            <textarea
              {...field}
              className="input"
              maxLength={MAX_EVIDENCE_NOTE}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button tone="primary" type="submit" isBusy={send.isPending}>
            Send the evidence
          </Button>
        </div>
      </form>
    </OrderPart>
  )
}
