import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { type CaseFile, judgeAnswer } from './moderation.contract.ts'
import { useAct } from './useCases.ts'
import { WordsField } from './WordsField.tsx'

type ReviewedAnswerProps = {
  id: string
  answer: NonNullable<NonNullable<CaseFile['review']>['answer']>
  isOwn: boolean
}

/** The seller's public answer to a reported review, which staff hide or show again. */
export function ReviewedAnswer({ id, answer: { text, why }, isOwn }: ReviewedAnswerProps) {
  const [message, setMessage] = useState('')
  const [isTried, setTried] = useState(false)
  const isHidden = why !== null
  const judge = useAct(judgeAnswer, isHidden ? 'Answer shown again' : 'Answer hidden')
  return (
    <section className="stack gap-2">
      <h3>The seller’s public answer</h3>
      <blockquote className="wrap-anywhere pre-line">{text}</blockquote>
      {isHidden && <p className="small muted wrap-anywhere">Hidden: {why}</p>}
      {!isOwn && (
        <form
          className="stack gap-2"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (message.trim() !== '') judge.mutate({ id, text, isHidden: !isHidden, message })
            else event.currentTarget.querySelector('textarea')?.focus()
          }}
        >
          <WordsField label="To the seller" value={message} onChange={setMessage} isTried={isTried} />
          <div className="row">
            <Button type="submit" tone={isHidden ? 'line' : 'bad-line'} isBusy={judge.isPending}>
              {isHidden ? 'Show the answer again' : 'Hide the answer'}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
