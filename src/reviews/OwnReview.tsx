import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Star } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { getProduct, type ProductDetail } from '../catalogue/catalogue.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import type { ListPage } from '../kit/query/list.client.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { type SavedForm, useSavedForm } from '../ui/form/useSavedForm.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { moveStars } from './rating.rules.ts'
import { listReviewRequests } from './requests/requests.contract.ts'
import { asksForReview } from './requests/reviewPath.rules.ts'
import { ReviewItem } from './ReviewItem.tsx'
import { deleteReview, listPurchases, MAX_REVIEW, type Purchase, type Review, saveReview } from './reviews.contract.ts'
import { listOf } from './useReviews.ts'

type OwnReviewProps = { productId: string; purchase: Purchase; isNew?: boolean; onChange?: () => void }

export function OwnReview({ productId, purchase, isNew = false, onChange }: OwnReviewProps) {
  const [search] = useSearchParams()
  const isAsked = asksForReview(search)
  const [isWriting, setWriting] = useState((isNew || isAsked) && !purchase.review)
  const { save, remove } = useOwnReview(productId, onChange)
  const { review, boughtAt, takenDown } = purchase
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAsked) card.current?.scrollIntoView({ block: 'center' })
  }, [isAsked])
  return (
    <div className="card stack" ref={card}>
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

const UNSAVED = 'Failed to save your review. Please try again.'
const toastUnsaved = (error: unknown) => toastFailure(error, UNSAVED)

type Written = { stars: number; text: string }
type ReviewFormProps = { review: Review | null; onSave: (written: Written) => Promise<void>; onClose: () => void }

const valuesOf = (review: Review | null) => ({ stars: String(review?.stars ?? ''), text: review?.text ?? '' })

function ReviewForm({ review, onSave, onClose }: ReviewFormProps) {
  const form = useSavedForm({
    saved: review,
    valuesOf,
    problemsOf: ({ stars }) => (stars ? {} : { stars: 'Give one to five stars' }),
    save: ({ stars, text }) => onSave({ stars: Number(stars), text: text.trim() }),
    onSaved: onClose,
    failure: UNSAVED,
    onFailure: toastUnsaved,
  })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    element.current
      ?.querySelector<HTMLInputElement>('input:checked, input[type="radio"]')
      ?.focus({ preventScroll: true })
  }, [])
  const { length } = form.values.text
  return (
    <form ref={element} className="stack gap-4" onSubmit={form.submit} noValidate>
      <StarsInput form={form} />
      <Field
        label="Your review"
        note="optional"
        hint={`${length.toLocaleString('en')} of ${MAX_REVIEW.toLocaleString('en')} characters. Your first name will be shown.`}
      >
        {(control) => (
          <textarea className="input" rows={4} maxLength={MAX_REVIEW} {...control} {...form.field('text')} />
        )}
      </Field>
      <div className="row">
        <Button tone="primary" type="submit" isBusy={form.isBusy}>
          {review ? 'Save changes' : 'Post review'}
        </Button>
        <Button tone="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function StarsInput({ form }: { form: SavedForm<ReturnType<typeof valuesOf>> }) {
  const errorId = useId()
  const error = form.errorOf('stars')
  const value = Number(form.values.stars)
  return (
    <div>
      <fieldset className="stars" aria-describedby={error ? errorId : undefined}>
        <legend>Your rating</legend>
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars} className={stars <= value ? 'is-on' : ''}>
            <input
              type="radio"
              className="sr"
              {...form.field('stars')}
              value={stars}
              checked={stars === value}
              aria-label={`${stars} star${stars === 1 ? '' : 's'}`}
            />
            <Star className="icon" aria-hidden />
          </label>
        ))}
        <span className="small muted" aria-hidden>
          {value > 0 && `${value} of 5`}
        </span>
      </fieldset>
      {error && (
        <p className="field__error" id={errorId}>
          <CircleAlert className="icon icon--sm" aria-hidden />
          {error}
        </p>
      )}
    </div>
  )
}

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

  async function save(purchase: Purchase, written: Written) {
    const { review } = await call(saveReview, { lineId: purchase.lineId, ...written })
    show(purchase, review)
    // the library must not show the request of this product again
    cache.removeQueries({ queryKey: keyOf(listReviewRequests, {}) })
    onChange?.()
    toast({ title: 'Thank you', description: 'Your review is on the page.' })
  }

  async function remove(purchase: Purchase) {
    const { lineId, review } = purchase
    if (!review) return
    show(purchase, null)
    try {
      await call(deleteReview, { lineId })
      onChange?.()
      const putBack = () => {
        save({ ...purchase, review: null }, { stars: review.stars, text: review.text }).catch(toastUnsaved)
      }
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
