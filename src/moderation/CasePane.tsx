import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { isMissing } from '../kit/call.client.ts'
import { toCents } from '../kit/money.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { describeDecision } from './case.rules.ts'
import { type CaseFile, closeCase, MOST_WORDS, restore, takeDown } from './moderation.contract.ts'
import { REASONS, reasonsFor } from './reasons.rules.ts'
import { ReasonField } from './ReasonField.tsx'
import { SellerPane } from './SellerPane.tsx'
import { useAct, useCase } from './useCases.ts'

/** One case: what was reported, the decision, the seller. */
export function CasePane({ id }: { id: string }) {
  const { data: file, error, refetch } = useCase(id)
  return (
    <>
      <section className="inbox__thread" aria-label={file ? `Case ${file.title}` : 'Case'}>
        <div className="chat__head">
          <Link className="icon-btn inbox__back" href="/admin/reports" aria-label="Back to the reports">
            <ChevronLeft className="icon" aria-hidden />
          </Link>
          <div className="grow">
            {file ? <h2>{file.title}</h2> : <Skeleton height="1.25rem" width="10rem" />}
            {file && <p>{describeDecision(file)}</p>}
          </div>
          {file && <Badge look={file.isListed ? 'active' : 'neutral'}>{file.isListed ? 'Listed' : 'Not listed'}</Badge>}
        </div>
        {file ? (
          <CaseBody key={file.decision} file={file} />
        ) : error ? (
          isMissing(error) ? (
            <EmptyState scene="torn" title="We couldn’t find that case" />
          ) : (
            <ErrorState title="Couldn’t load the case" onRetry={() => void refetch()} />
          )
        ) : (
          <div className="case" role="status" aria-label="Loading the case">
            <Skeleton height="6rem" />
            <Skeleton height="10rem" />
          </div>
        )}
      </section>
      {file && (
        <aside className="inbox__about" aria-label="About the seller">
          <SellerPane seller={file.seller} isOwn={file.isOwn} />
        </aside>
      )}
    </>
  )
}

const CaseBody = ({ file }: { file: CaseFile }) => (
  <div className="case">
    <section className="stack gap-2">
      <h3>The product</h3>
      <div className="row row--top gap-4">
        <ProductImage product={{ ...file, id: file.productId }} sizes="8.5rem" className="case__image" />
        <dl className="pairs grow grow--column">
          <Pair name="Price" value={usd(toCents(file.price))} />
          <Pair name="Sold" value={file.sold.toLocaleString('en')} />
          <Pair name="Rating" value={file.rated ? `${file.rated.stars} of 5 (${file.rated.reviews})` : 'None'} />
        </dl>
      </div>
      {file.isListed && (
        <Link className="text-link small" href={`/product/${file.productId}`}>
          Open the product
        </Link>
      )}
    </section>
    {file.review && (
      <section className="stack gap-2">
        <h3>The review</h3>
        <p className="small muted">
          {file.review.author}, {file.review.stars} of 5
        </p>
        <blockquote className="wrap-anywhere pre-line">{file.review.text || 'Without a text.'}</blockquote>
      </section>
    )}
    <section className="stack gap-2">
      <h3>Reports</h3>
      <ul className="stack">
        {file.said.map(({ reason, note, at, isBuyer }) => (
          <li key={at + reason} className="stack gap-1">
            <p className="small muted">
              <b>{isBuyer ? 'Buyer' : 'Member'}</b>, {REASONS[reason] ?? reason}, {formatMoment(at)}
            </p>
            {note && <blockquote className="wrap-anywhere pre-line">{note}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
    {file.why && (
      <section className="stack gap-2">
        <h3>{file.isReview ? 'Hidden' : 'Taken down'}</h3>
        <blockquote className="wrap-anywhere pre-line">{file.why}</blockquote>
        {file.decidedBy && file.decidedAt && (
          <p className="small muted wrap-anywhere">
            {file.decidedBy}, {formatMoment(file.decidedAt)}
          </p>
        )}
        {file.answer && (
          <>
            <h3>The seller’s answer</h3>
            <blockquote className="wrap-anywhere pre-line">{file.answer}</blockquote>
          </>
        )}
      </section>
    )}
    {file.isOwn ? (
      <p className="muted small">This is about you. Another member of staff decides.</p>
    ) : file.why ? (
      file.decision === 'taken_down' && <DownDecision file={file} />
    ) : (
      <Decision file={file} />
    )}
  </div>
)

/** A take-down with its words, or the end of the case without one. */
function Decision({ file: { id, isReview, decision } }: { file: CaseFile }) {
  const [reason, setReason] = useState('')
  const [message, setMessage] = useState('')
  const [isTried, setTried] = useState(false)
  const down = useAct(takeDown, isReview ? 'Review hidden' : 'Product taken down')
  const close = useAct(closeCase, 'Case closed')
  const whom = isReview ? 'author' : 'seller'
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (reason && message.trim()) down.mutate({ id, reason, message })
        else event.currentTarget.querySelector<HTMLElement>(reason ? 'textarea' : 'select')?.focus()
      }}
    >
      <div className="stack gap-1">
        <h3>Decision</h3>
        <p className="muted small">
          The {whom} reads the reason and your text. Reporters hear that it was decided, not more.
        </p>
      </div>
      <ReasonField
        reasons={reasonsFor(isReview)}
        label={isReview ? 'Reason to hide it' : 'Reason for the take-down'}
        value={reason}
        onChange={setReason}
        isMissing={isTried && !reason}
      />
      <Field label={`To the ${whom}`} {...(isTried && !message.trim() && { error: 'Write a few words.' })}>
        {(field) => (
          <textarea
            {...field}
            className="input"
            required
            maxLength={MOST_WORDS}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
        )}
      </Field>
      <div className="row gap-2">
        <Button type="submit" tone="bad" isBusy={down.isPending}>
          {isReview ? 'Hide' : 'Take down'}
        </Button>
        {decision === null && (
          <Button isBusy={close.isPending} onClick={() => close.mutate({ id })}>
            {isReview ? 'Keep it' : 'Keep listed'}
          </Button>
        )}
      </div>
    </form>
  )
}

function DownDecision({ file: { id, isReview, isWaiting } }: { file: CaseFile }) {
  const back = useAct(restore, isReview ? 'Review shown again' : 'Product put back')
  const close = useAct(closeCase, 'Case closed')
  return (
    <div className="row gap-2">
      <Button tone="soft" isBusy={back.isPending} onClick={() => back.mutate({ id })}>
        {isReview ? 'Show again' : 'Put back'}
      </Button>
      {isWaiting && (
        <Button isBusy={close.isPending} onClick={() => close.mutate({ id })}>
          Leave it down
        </Button>
      )}
    </div>
  )
}
