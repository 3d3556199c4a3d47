import { CircleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { MAX_REVIEW, type Review } from './reviews.contract.ts'
import { StarsInput } from './StarsInput.tsx'

type ReviewFormProps = {
  review: Review | null
  /** True when it was saved. */
  onSave: (written: { stars: number; text: string }) => Promise<boolean>
  onClose: () => void
}

/** The entered text stays after a failure. */
export function ReviewForm({ review, onSave, onClose }: ReviewFormProps) {
  const [stars, setStars] = useState(review?.stars ?? 0)
  const [text, setText] = useState(review?.text ?? '')
  const [isBusy, setBusy] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const errorId = useId()
  const error = isChecked && stars === 0 ? 'Give one to five stars' : undefined
  const focusStars = () =>
    form.current?.querySelector<HTMLInputElement>('input:checked, input[type="radio"]')?.focus({ preventScroll: true })
  useEffect(focusStars, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (stars === 0) return focusStars()
    if (isBusy) return
    setBusy(true)
    const isSaved = await onSave({ stars, text: text.trim() })
    setBusy(false)
    if (isSaved) onClose()
  }
  return (
    <form ref={form} className="stack gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <div>
        <StarsInput value={stars} onChange={setStars} error={error} errorId={errorId} />
        {error && (
          <p className="field__error" id={errorId}>
            <CircleAlert className="icon icon--sm" aria-hidden />
            {error}
          </p>
        )}
      </div>
      <Field
        label="Your review"
        note="optional"
        hint={`${text.length.toLocaleString('en')} of ${MAX_REVIEW.toLocaleString('en')} characters. Your first name will be shown.`}
      >
        {(control) => (
          <textarea
            className="input"
            rows={4}
            maxLength={MAX_REVIEW}
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...control}
          />
        )}
      </Field>
      <div className="row">
        <Button tone="primary" type="submit" isBusy={isBusy}>
          {review ? 'Save changes' : 'Post review'}
        </Button>
        <Button tone="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
