import { useMutation } from '@tanstack/react-query'
import { Copy, ThumbsDown, ThumbsUp } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { type ChatMessage, MAX_REASON_LENGTH, rateAnswer } from './chat.contract.ts'

const show = (field: HTMLInputElement | null) => {
  field?.focus({ preventScroll: true })
  field?.form?.scrollIntoView({ block: 'nearest' })
}

export function RateAnswer({ message: { id, message, rating: stored } }: { message: ChatMessage }) {
  const [rating, setRating] = useState(stored)
  const [isAsking, setAsking] = useState(false)
  const { mutate } = useMutation({
    mutationFn: (given: { rating: 1 | -1 | null; reason?: string }) => call(rateAnswer, { messageId: id, ...given }),
    onError: (error) => {
      setRating(stored)
      toastFailure(error, 'We couldn’t save your rating. Please try again.')
    },
  })
  const press = (given: 1 | -1) => {
    const next = rating === given ? null : given
    setRating(next)
    setAsking(next === -1)
    mutate({ rating: next })
  }
  const tell = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
    setAsking(false)
    if (reason) mutate({ rating: -1, reason })
  }
  return (
    <div className="msg__rate">
      <button
        type="button"
        className="icon-btn"
        aria-label="This helped"
        aria-pressed={rating === 1}
        onClick={() => press(1)}
      >
        <ThumbsUp className="icon icon--sm" aria-hidden />
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label="This did not help"
        aria-pressed={rating === -1}
        onClick={() => press(-1)}
      >
        <ThumbsDown className="icon icon--sm" aria-hidden />
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label="Copy the answer"
        onClick={() => void copyText(message, 'The answer')}
      >
        <Copy className="icon icon--sm" aria-hidden />
      </button>
      {rating !== null && !isAsking && <span role="status">Thank you</span>}
      {isAsking && (
        <form className="msg__reason" onSubmit={tell}>
          <input
            ref={show}
            name="reason"
            className="input"
            aria-label="What was wrong?"
            placeholder="What was wrong?"
            maxLength={MAX_REASON_LENGTH}
          />
          <Button type="submit">Send</Button>
        </form>
      )}
    </div>
  )
}
