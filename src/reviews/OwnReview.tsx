import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Star } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { getProduct, type ProductDetail } from '../catalogue/catalogue.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { ListPage } from '../kit/query/list.client.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import { moveStars } from './rating.rules.ts'
import { ReviewItem } from './ReviewItem.tsx'
import { deleteReview, listPurchases, MAX_REVIEW, type Purchase, type Review, saveReview } from './reviews.contract.ts'
import { listOf } from './useReviews.ts'

type OwnReviewProps = { productId: string; purchase: Purchase; isNew?: boolean; onChange?: () => void }

export function OwnReview({ productId, purchase, isNew = false, onChange }: OwnReviewProps) {
  const [isWriting, setWriting] = useState(isNew && !purchase.review)
  const { save, remove } = useOwnReview(productId, onChange)
  const { review, boughtAt, takenDown } = purchase
  return (
    <div className="card stack">
      {isWriting ? (
        <ReviewForm review={review} onSave={(written) => save(purchase, written)} onClose={() => setWriting(false)} />
      ) : review ? (
        <ReviewItem review={review} who="You">
          {takenDown ? (
            <p className="small wrap-anywhere">Only you see this review. We have hidden it: {takenDown}</p>
          ) : (
            <div className="row gap-2">
              <Button onClick={() => setWriting(true)}>Edit review</Button>
              <Button tone="quiet" onClick={() => void remove(purchase)}>
                Delete review
              </Button>
            </div>
          )}
        </ReviewItem>
      ) : (
        <div className="row row--between">
          <p className="small muted">You bought this on {formatDay(boughtAt)}.</p>
          <Button onClick={() => setWriting(true)}>Write a review</Button>
        </div>
      )}
    </div>
  )
}

type ReviewFormProps = {
  review: Review | null
  onSave: (written: { stars: number; text: string }) => Promise<boolean>
  onClose: () => void
}

function ReviewForm({ review, onSave, onClose }: ReviewFormProps) {
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

type StarsInputProps = { value: number; onChange: (stars: number) => void; error?: string; errorId: string }

const StarsInput = ({ value, onChange, error, errorId }: StarsInputProps) => (
  <fieldset className="stars" aria-describedby={error ? errorId : undefined}>
    <legend>Your rating</legend>
    {[1, 2, 3, 4, 5].map((stars) => (
      <label key={stars} className={stars <= value ? 'is-on' : ''}>
        <input
          type="radio"
          name="stars"
          className="sr"
          checked={stars === value}
          aria-label={`${stars} star${stars === 1 ? '' : 's'}`}
          onChange={() => onChange(stars)}
        />
        <Star className="icon" aria-hidden />
      </label>
    ))}
    <span className="small muted" aria-hidden>
      {value > 0 && `${value} of 5`}
    </span>
  </fieldset>
)

function useOwnReview(productId: string, onChange?: () => void) {
  const cache = useQueryClient()

  function show({ review: was }: Purchase, now: Review | null) {
    cache.setQueryData<Purchase[]>(keyOf(listPurchases, { id: productId }), (purchases) =>
      purchases?.map((purchase) => ({ ...purchase, review: now })),
    )
    cache.setQueryData<ProductDetail>(
      keyOf(getProduct, { id: productId }),
      (product) => product && { ...product, rating: moveStars(product.rating, was?.stars ?? null, now?.stars ?? null) },
    )
    // replaces the old version of this review in the list
    cache.setQueryData<InfiniteData<ListPage<Review[]>>>(
      listOf(productId).queryKey,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => id !== was?.id) })),
        },
    )
  }

  async function save(purchase: Purchase, written: { stars: number; text: string }): Promise<boolean> {
    try {
      const { review } = await call(saveReview, { lineId: purchase.lineId, ...written })
      show(purchase, review)
      onChange?.()
      toast({ title: 'Thank you', description: 'Your review is on the page.' })
      return true
    } catch (error) {
      toastFailure(error, 'Failed to save your review. Please try again.')
      return false
    }
  }

  async function remove(purchase: Purchase) {
    const { lineId, review } = purchase
    if (!review) return
    show(purchase, null)
    try {
      await call(deleteReview, { lineId })
      onChange?.()
      const putBack = () => void save({ ...purchase, review: null }, { stars: review.stars, text: review.text })
      toast({
        title: 'Review deleted',
        action: { label: 'Undo', hint: 'Write the review again to undo', run: putBack },
      })
    } catch (error) {
      show({ ...purchase, review: null }, review)
      toastFailure(error, 'Failed to delete your review. Please try again.')
    }
  }
  return { save, remove }
}
