import { ChevronLeft } from 'lucide-react'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { isMissing } from '../kit/call.client.ts'
import { useNow } from '../kit/useNow.ts'
import { toCents } from '../kit/money.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Link } from '../ui/Link.tsx'
import { Pair } from '../ui/Pair.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { describeDecision, describeQuestion } from './case.rules.ts'
import type { CaseFile } from './moderation.contract.ts'
import { REASONS } from './reasons.rules.ts'
import { ReviewedAnswer } from './ReviewedAnswer.tsx'
import { SellerPane } from './SellerPane.tsx'
import { useCase } from './useCases.ts'

const CaseDecision = lazyPart(() => import('./CaseDecision.tsx'), 'CaseDecision', <Skeleton height="10rem" />)

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
          <Pair name="Copies sold" value={file.sold.toLocaleString('en')} />
          <Pair name="Rating" value={file.rated ? `${file.rated.stars} of 5 (${file.rated.reviews})` : 'None'} />
        </dl>
      </div>
      <p className="row small">
        {file.isListed && (
          <Link className="text-link" href={`/product/${file.productId}`}>
            Open the product
          </Link>
        )}
        {file.sold > 0 && (
          <Link className="text-link" href={`/admin/orders?product=${file.productId}`}>
            Refund its buyers
          </Link>
        )}
      </p>
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
    {file.review?.answer && (
      <ReviewedAnswer key={file.review.answer.why ?? ''} id={file.id} answer={file.review.answer} isOwn={file.isOwn} />
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
      </section>
    )}
    <Conversation file={file} />
    {file.isOwn ? (
      <p className="muted small">This is about you. Another member of staff decides.</p>
    ) : (
      <CaseDecision file={file} />
    )}
  </div>
)

function Conversation({ file }: { file: CaseFile }) {
  const now = useNow(60_000)
  const state = describeQuestion(file, now)
  if (!file.question && !file.answer) return null
  return (
    <section className="stack gap-2">
      {file.question && (
        <>
          <h3>Asked the seller</h3>
          <blockquote className="wrap-anywhere pre-line">{file.question}</blockquote>
          {!file.answer && state && <p className="small muted">{state}</p>}
        </>
      )}
      {file.answer && (
        <>
          <h3>The seller’s answer</h3>
          <blockquote className="wrap-anywhere pre-line">{file.answer}</blockquote>
        </>
      )}
    </section>
  )
}
