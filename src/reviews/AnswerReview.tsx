import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { deleteAnswer, listOwnReviews, MAX_REVIEW, type Review, saveAnswer } from './reviews.contract.ts'

type AnswerReviewProps = { review: Review; productId: string }

/** The seller answers a review, or changes or deletes the answer. */
export function AnswerReview({ review: { id, author, answer }, productId }: AnswerReviewProps) {
  const [isWriting, setWriting] = useState(false)
  const [text, setText] = useState(answer?.text ?? '')
  const [isTried, setTried] = useState(false)
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: keyOf(listOwnReviews, { id: productId }).slice(0, 2) })
  const save = useMutation({
    mutationFn: () => call(saveAnswer, { id, text: text.trim() }),
    onSuccess: () => {
      toast({ title: 'Answer saved', description: 'Everybody who sees the review reads it.', tone: 'good' })
      setWriting(false)
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to save the answer. Please try again.'),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: () => call(deleteAnswer, { id }),
    onSuccess: () => {
      setText('')
      toast({ title: 'Answer deleted' })
    },
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to delete the answer. Please try again.'),
    onSettled: refresh,
  })
  if (!isWriting)
    return (
      <div className="row gap-2">
        <Button
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
            onClick={() => remove.mutate()}
          >
            Delete answer
          </Button>
        )}
      </div>
    )
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (text.trim() !== '' && !save.isPending) save.mutate()
      }}
    >
      <Field
        label={`Your answer to ${author}`}
        note="public"
        {...(isTried && text.trim() === '' && { error: 'Write a few words.' })}
      >
        {(field) => (
          <textarea
            {...field}
            className="input"
            rows={3}
            maxLength={MAX_REVIEW}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className="row gap-2">
        <Button type="submit" isBusy={save.isPending}>
          Save answer
        </Button>
        <Button tone="quiet" onClick={() => setWriting(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
