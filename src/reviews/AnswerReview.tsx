import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { withoutGaps } from '../kit/gaps.rules.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { useSavedForm } from '../ui/form/useSavedForm.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import {
  deleteAnswer,
  listOwnReviews,
  MAX_REVIEW,
  type ReceivedReview,
  type ReviewAnswer,
  saveAnswer,
} from './reviews.contract.ts'

type AnswerReviewProps = { review: ReceivedReview; productId: string }

/** The seller answers a review, or changes or deletes the answer. */
export const AnswerReview = ({ review, productId }: AnswerReviewProps) =>
  review.hiddenAnswer ? (
    <HiddenAnswer answer={review.hiddenAnswer} />
  ) : (
    <OpenAnswer key={review.id} review={review} productId={productId} />
  )

const HiddenAnswer = ({ answer: { text, why } }: { answer: NonNullable<ReceivedReview['hiddenAnswer']> }) => (
  <div className="review__answer">
    <p className="small muted">
      <b>Your answer</b>, hidden
    </p>
    <p className="review__text">{withoutGaps(text)}</p>
    <p className="small wrap-anywhere">Only you see this answer. We have hidden it: {why}</p>
  </div>
)

const UNSAVED = 'Failed to save the answer. Please try again.'

function OpenAnswer({ review: { id, author, answer }, productId }: AnswerReviewProps) {
  const [isWriting, setWriting] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(listOwnReviews, { id: productId }).slice(0, 2) })
  const remove = useRemoveAnswer(id, refresh)
  const close = () => {
    setWriting(false)
    // staff may have hidden the answer while the seller wrote
    void refresh()
  }
  useFocusAfter(isWriting, button)
  if (isWriting) return <AnswerForm id={id} author={author} answer={answer} onClose={close} />
  return (
    <div className="row gap-2">
      <Button
        ref={button}
        tone="quiet"
        aria-label={`${answer ? 'Edit answer' : 'Answer'} to ${author}`}
        onClick={() => setWriting(true)}
      >
        {answer ? 'Edit answer' : 'Answer'}
      </Button>
      {answer && (
        <Button
          tone="quiet"
          aria-label={`Delete answer to ${author}`}
          isBusy={remove.isPending}
          onClick={() => {
            button.current?.focus()
            remove.mutate(answer)
          }}
        >
          Delete answer
        </Button>
      )}
    </div>
  )
}

/** Focuses the element when the form in its place has closed. */
function useFocusAfter(isOpen: boolean, element: { current: HTMLElement | null }) {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) element.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, element])
}

function useRemoveAnswer(id: string, refresh: () => Promise<unknown>) {
  const putBack = useMutation({
    mutationFn: (text: string) => call(saveAnswer, { id, text }),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? UNSAVED),
    onSettled: refresh,
  })
  return useMutation({
    mutationFn: (_: ReviewAnswer) => call(deleteAnswer, { id }),
    onSuccess: (_, { text }) =>
      toast({
        title: 'Answer deleted',
        action: { label: 'Undo', hint: 'Write the answer again to undo', run: () => putBack.mutate(text) },
      }),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to delete the answer. Please try again.'),
    onSettled: refresh,
  })
}

type AnswerFormProps = {
  id: string
  author: string
  answer: ReviewAnswer | null
  onClose: () => void
}

const valuesOf = (answer: ReviewAnswer | null) => ({ text: answer?.text ?? '' })

function AnswerForm({ id, author, answer, onClose }: AnswerFormProps) {
  const form = useSavedForm({
    saved: answer,
    valuesOf,
    problemsOf: ({ text }) => (text.trim() === '' ? { text: 'Write a few words.' } : {}),
    save: ({ text }) => call(saveAnswer, { id, text: text.trim() }),
    onSaved: () => {
      toast({ title: 'Answer saved', description: 'Everybody who sees the review reads it.', tone: 'good' })
      onClose()
    },
    failure: UNSAVED,
    onFailure: toastFailure,
  })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => element.current?.querySelector('textarea')?.focus(), [])
  return (
    <form ref={element} className="stack" noValidate onSubmit={form.submit}>
      <Field label={`Your answer to ${author}`} note="public" error={form.errorOf('text')}>
        {(control) => (
          <textarea className="input" rows={3} maxLength={MAX_REVIEW} {...control} {...form.field('text')} />
        )}
      </Field>
      <div className="row gap-2">
        <Button type="submit" isBusy={form.isBusy}>
          Save answer
        </Button>
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
