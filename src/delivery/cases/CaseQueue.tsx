import { useState } from 'react'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { describeCounts, describeReveals, ownerOf } from './case.texts.rules.ts'
import { type CodeCase, MAX_WORDS } from './cases.contract.ts'
import { CASE_NAMES, isOpenCase, REASON_NAMES } from './cases.rules.ts'
import { type CaseAct, type CaseQueue as Queue, useCases, useReportedCode } from './useCases.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'

const ConfirmDialog = lazyDialog(() => import('../../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

const queues: { value: Queue; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'ended', label: 'Ended' },
]

export function CaseQueue({ isStaff }: { isStaff: boolean }) {
  const [queue, setQueue] = useState<Queue>('open')
  return (
    <div className="stack">
      <Segment label="Show" options={queues} value={queue} onChange={setQueue} />
      <Cases key={queue} queue={queue} isStaff={isStaff} />
    </div>
  )
}

function Cases({ queue, isStaff }: { queue: Queue; isStaff: boolean }) {
  const { cases, answer, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useCases(isStaff, queue)
  if (isError && !cases) return <ErrorState title="Couldn’t load the reports" onRetry={() => void refetch()} />
  if (!cases) return <Skeleton height="12rem" />
  if (cases.length === 0)
    return (
      <EmptyState scene="ticket" title={queue === 'open' ? 'No open reports' : 'No reports yet'}>
        Buyers report a code that doesn’t work on their order.
      </EmptyState>
    )
  return (
    <>
      <ul className="stack" aria-label="Reports">
        {cases.map((found) => (
          <li key={found.id}>
            <Case
              found={found}
              isStaff={isStaff}
              isBusy={answer.isPending}
              onAnswer={(act, words) => answer.mutate({ id: found.id, act, words })}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="row row--center">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

type CaseProps = {
  found: CodeCase
  isStaff: boolean
  isBusy: boolean
  onAnswer: (act: CaseAct['act'], words: string) => void
}

function Case({ found, isStaff, isBusy, onAnswer }: CaseProps) {
  const { title, orderId, saleId, state, reason, note, sellerWords, words, openedAt, answerBy, decidedAt } = found
  const history = describeReveals(found)
  const isMine = state === (isStaff ? 'staff' : 'seller')
  return (
    <article className="card stack">
      <div className="row row--between">
        <h2 className="text-16 wrap-anywhere">{title}</h2>
        <Badge look={isOpenCase(state) ? 'pending' : state === 'rejected' ? 'failed' : 'completed'}>
          {CASE_NAMES[state]}
        </Badge>
      </div>
      <p className="muted small">
        Order #
        <Link className="text-link" href={isStaff ? `/admin/orders/${orderId}` : `/sales/${saleId}`}>
          <span className="mono">{orderId.slice(-8)}</span>
        </Link>
        , reported on {formatDay(openedAt)}.{state === 'seller' && ` Answer by ${formatMoment(answerBy)}.`}
        {decidedAt && ` ${state === 'refunding' ? 'Decided' : 'Ended'} on ${formatDay(decidedAt)}.`}
      </p>
      <ReportedCode found={found} isStaff={isStaff} />
      {history && <p className="muted small">{history}</p>}
      <p className="wrap-anywhere">
        <strong>{REASON_NAMES[reason]}.</strong> {note}
      </p>
      {sellerWords && <p className="wrap-anywhere">The seller says: {sellerWords}</p>}
      {words && <p className="wrap-anywhere">Decision: {words}</p>}
      {found.isRefundFailed && (
        <p>
          The payment provider didn’t make the refund.{' '}
          {isStaff ? 'The order says why. Give another code, or try again.' : 'Our staff decide.'}
        </p>
      )}
      {isStaff && <p className="muted small">{describeCounts(found)}</p>}
      {isMine && <Answers found={found} isStaff={isStaff} isBusy={isBusy} onAnswer={onAnswer} />}
    </article>
  )
}

/** Shows the last digits of a code. Reveal shows the full code, and the server records each reveal. */
function ReportedCode({ found: { id, mask }, isStaff }: Pick<CaseProps, 'found' | 'isStaff'>) {
  const { code, reveal, isBusy } = useReportedCode(id, isStaff)
  return (
    <div className="row">
      <output className="mono wrap-anywhere">
        {code ? code.code : mask}
        {code?.pin && `, PIN ${code.pin}`}
        {code?.serial && `, serial number ${code.serial}`}
      </output>
      {!code && (
        <Button tone="quiet" isBusy={isBusy} onClick={reveal}>
          Reveal
        </Button>
      )}
    </div>
  )
}

function Answers({ found, isStaff, isBusy, onAnswer }: CaseProps) {
  const [words, setWords] = useState('')
  const [isTried, setTried] = useState(false)
  const [asked, setAsked] = useState<'replace' | 'refund' | null>(null)
  const isMissing = isTried && words.trim() === ''
  const refuse = () => {
    setTried(true)
    if (words.trim() !== '') onAnswer('refuse', words.trim())
  }
  return (
    <>
      <Field
        label={`Words to the ${ownerOf(found)}${isStaff ? '' : ' or to our staff'}`}
        note="optional"
        {...(isMissing && { error: 'Say why.' })}
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            maxLength={MAX_WORDS}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button tone="primary" disabled={isBusy || !found.canReplace} onClick={() => setAsked('replace')}>
          Give another code
        </Button>
        <Button disabled={isBusy} onClick={() => setAsked('refund')}>
          Return the money
        </Button>
        <Button tone="quiet" disabled={isBusy} onClick={refuse}>
          {isStaff ? 'Don’t accept' : 'Let staff decide'}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(null)}
          title={asked === 'replace' ? 'Give another code?' : 'Return the money?'}
          label={asked === 'replace' ? 'Give another code' : 'Return the money'}
          onConfirm={() => onAnswer(asked, words.trim())}
        >
          {asked === 'replace'
            ? `The next code of “${found.title}” leaves the stock. The reported one is never sold again.`
            : `The buyer gets back what was paid for this code of “${found.title}”. The code is never sold again.`}
        </ConfirmDialog>
      )}
      {!found.canReplace && <p className="small muted">No other code of this product is for sale.</p>}
    </>
  )
}
