import { type ReactNode, useState } from 'react'
import { useSession } from '../identity/sessions/useSession.ts'
import { useNow } from '../kit/useNow.ts'
import { Button } from '../ui/Button.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { isAsked } from './case.rules.ts'
import { type CaseFile, closeCase, restore, takeCase, takeDown } from './moderation.contract.ts'
import { ReasonField } from './ReasonField.tsx'
import { reasonsFor } from './reasons.rules.ts'
import { useAct } from './useCases.ts'
import { WordsField } from './WordsField.tsx'

const AskForm = lazyPart(() => import('./AskForm.tsx'), 'AskForm')

type FileProps = { file: CaseFile }

export const CaseDecision = ({ file }: FileProps) => (
  <OnceTaken file={file}>
    {file.why ? file.decision === 'taken_down' && <DownDecision file={file} /> : <Undecided file={file} />}
  </OnceTaken>
)

/** Only the member of staff who took a waiting case works on it. Others can read it. */
function OnceTaken({ file: { id, isWaiting, takenBy }, children }: FileProps & { children: ReactNode }) {
  const { user } = useSession()
  const take = useAct(takeCase, 'Saved')
  const isMine = takenBy !== null && takenBy === user?.email
  const isOthers = takenBy !== null && !isMine
  if (!isWaiting) return children
  return (
    <>
      <div className="row row--between small">
        <span className="muted wrap-anywhere">
          {isMine
            ? 'You work on this case.'
            : isOthers
              ? `${takenBy} works on this case.`
              : 'Nobody works on this case.'}
        </span>
        {(!isOthers || user?.role === 'admin') && (
          <Button tone="quiet" isBusy={take.isPending} onClick={() => take.mutate({ id, isMine: !isMine })}>
            {isMine ? 'Give it back' : isOthers ? 'Take it over' : 'Take this case'}
          </Button>
        )}
      </div>
      {!isOthers && children}
    </>
  )
}

function Undecided({ file }: FileProps) {
  const [isAsking, setAsking] = useState(false)
  const now = useNow(60_000)
  const canAsk = file.decision === null && !file.isReview && !isAsked(file, now)
  return isAsking && canAsk ? (
    <AskForm id={file.id} onEnd={() => setAsking(false)} />
  ) : (
    <Decision file={file} {...(canAsk && { onAsk: () => setAsking(true) })} />
  )
}

function Decision({ file: { id, isReview, decision }, onAsk }: FileProps & { onAsk?: () => void }) {
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
      <WordsField label={`To the ${whom}`} value={message} onChange={setMessage} isTried={isTried} />
      <div className="row gap-2">
        <Button type="submit" tone="bad" isBusy={down.isPending}>
          {isReview ? 'Hide' : 'Take down'}
        </Button>
        {decision === null && (
          <Button isBusy={close.isPending} onClick={() => close.mutate({ id })}>
            {isReview ? 'Keep it' : 'Keep listed'}
          </Button>
        )}
        {onAsk && (
          <Button tone="ghost" onClick={onAsk}>
            Ask the seller first
          </Button>
        )}
      </div>
    </form>
  )
}

function DownDecision({ file: { id, isReview, isWaiting } }: FileProps) {
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
